import ts from 'typescript'
import { ToolgateError } from '../../errors/toolgate-error.js'

// The newest that the compiler knows: a member that some engine has is not worth refusing a program for.
const NEWEST = 'esnext'
const REFERENCE = /^\/\/\/\s*<reference\s+lib="([^"]+)"\s*\/>/gm

/** A file that is a module adds to the globals from inside. */
const MODULE = /^export \{/m

/**
 * The compiler's own library, as one text and the few modules among its files. In eighty files each check would begin by
 * merging what they say about the same names.
 * @throws ToolgateError `INVALID_OPTIONS` where there are no library files to read
 */
export function readLibrary(): readonly string[] {
  const { sys } = ts
  if (sys === undefined)
    throw new ToolgateError(
      'INVALID_OPTIONS',
      'typescriptChecker reads the library files of TypeScript and needs a runtime with a file system',
    )
  const folder = ts.getDefaultLibFilePath({}).replace(/[^/\\]+$/, '')
  const scripts: string[] = []
  const modules: string[] = []
  const read = new Set<string>()
  const add = (name: string): void => {
    if (read.has(name)) return
    read.add(name)
    const text = sys.readFile(`${folder}lib.${name}.d.ts`)
    if (text === undefined)
      throw new ToolgateError('INVALID_OPTIONS', `typescriptChecker finds no lib.${name}.d.ts in ${folder}`)
    for (const [, inner = ''] of text.matchAll(REFERENCE)) add(inner)
    const list = MODULE.test(text) ? modules : scripts
    list.push(text.replace(REFERENCE, ''))
  }
  add(NEWEST)
  return [scripts.join('\n'), ...modules]
}
