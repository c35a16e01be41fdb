import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'sucrase'

// Each file uses only what stands before it.
const ORDER = [
  'intrinsics',
  'fix-buffers',
  'fix-arrays',
  'array-from-async',
  'fix-bigints',
  'date-text',
  'fix-dates',
  'fix-weak-refs',
  'fix-normalize',
  'fix-errors',
  'fix-promises',
  'names',
  'call-promise',
  'lossy-faults',
  'copy-text',
  'to-json',
  'inspect',
  'calls',
  'namespace',
  'console',
  'globals',
  'base64',
  'random',
  'lazy',
  'main',
]

const IMPORT = /^import\s[^'"]*['"]\.\/[a-z0-9-]+\.js['"]\n/gm
const EXPORT = /^export /gm
const COMMENT = /^\s*(?:\/\/.*|\/\*[\s\S]*?\*\/)\n/gm
/** Syntax that calls methods which a program can replace. */
const UNSAFE = /`|\bfor \(const [^;]* of |= await /
/** What awaits because the standard says so: whatever it is handed may be asked what any `await` asks. */
const MAY_AWAIT = ['array-from-async']

/** One script of all the guest's files; its completion value is `boot`. */
export function guestPrelude(folder) {
  const parts = ORDER.map(name => {
    const source = readFileSync(join(folder, `${name}.ts`), 'utf8')
    const { code } = transform(source, { transforms: ['typescript'], disableESTransforms: true })
    const bare = code.replace(COMMENT, '').replace(IMPORT, '').replace(EXPORT, '').trim()
    const unsafe = UNSAFE.exec(MAY_AWAIT.includes(name) ? bare.replaceAll('= await ', '= ') : bare)
    if (unsafe !== null) throw new Error(`guest/${name}.ts uses "${unsafe[0]}", which a program can change`)
    return bare
  })
  return `(() => {\n${parts.join('\n')}\nreturn boot\n})()\n`
}
