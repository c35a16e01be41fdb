import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'sucrase'

// Each file uses only what stands before it.
const ORDER = ['intrinsics', 'to-json', 'inspect', 'calls', 'globals', 'base64', 'main']

const IMPORT = /^import\s[^'"]*['"]\.\/[a-z0-9-]+\.js['"]\n/gm
const EXPORT = /^export /gm

/** One script of all the guest's files; its completion value is `boot`. */
export function guestPrelude(folder) {
  const parts = ORDER.map(name => {
    const source = readFileSync(join(folder, `${name}.ts`), 'utf8')
    const { code } = transform(source, { transforms: ['typescript'], disableESTransforms: true })
    return code
      .replace(IMPORT, '')
      .replace(EXPORT, '')
      .replace(/^\s*\/\/.*\n/gm, '')
      .trim()
  })
  return `(() => {\n${parts.join('\n')}\nreturn boot\n})()\n`
}
