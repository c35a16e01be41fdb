import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

// Only looked up: packages resolve as they do from here.
const FILE = fileURLToPath(new URL('module-of-tools.ts', import.meta.url))
/** The declarations of the build. */
export const DECLARATIONS = fileURLToPath(new URL('../../dist/types/index.d.ts', import.meta.url))

// Declarations are the same for every module, and parsed once.
const parsed = new Map()

/**
 * Compiles a module with that many of a contestant's tools and says what that took; `declarations` is the file that stands
 * for the package.
 * @throws Error where it does not compile.
 */
export function compile({ head, tool }, count, declarations) {
  const text = head + Array.from({ length: count }, (_, i) => tool(i)).join('')
  const options = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
    types: [],
    paths: { toolgate: [resolve(declarations)] },
  }
  const files = ts.createCompilerHost(options)
  const host = {
    ...files,
    fileExists: name => name === FILE || files.fileExists(name),
    readFile: name => (name === FILE ? text : files.readFile(name)),
    getSourceFile(name, version) {
      if (name === FILE) return ts.createSourceFile(name, text, version)
      if (!parsed.has(name)) parsed.set(name, files.getSourceFile(name, version))
      return parsed.get(name)
    },
  }
  const program = ts.createProgram([FILE], options, host)
  const file = program.getSourceFile(FILE)
  const problems = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]
  if (problems.length > 0) throw new Error(ts.flattenDiagnosticMessageText(problems[0].messageText, '\n'))
  return { instantiations: program.getInstantiationCount(), heapBytes: process.memoryUsage().heapUsed }
}
