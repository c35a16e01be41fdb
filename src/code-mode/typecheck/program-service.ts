import ts from 'typescript'
import { ToolgateError } from '../../errors/toolgate-error.js'

const PROGRAM = '/program.ts'
const DECLARATIONS = '/declarations.d.ts'

const GLOBALS = `
declare function setTimeout(callback: (...args: any[]) => void, ms?: number, ...args: any[]): number
declare function clearTimeout(id?: number): void
declare function queueMicrotask(callback: () => void): void
declare function structuredClone<T>(value: T): T
declare function atob(text: string): string
declare function btoa(text: string): string
declare const crypto: { randomUUID(): string; getRandomValues<T>(array: T): T }
declare const performance: { now(): number }
declare const URL: any, URLSearchParams: any, TextEncoder: any, TextDecoder: any
`

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ['lib.es2023.d.ts'],
  strict: true,
  noEmit: true,
  types: [],
  skipLibCheck: true,
  skipDefaultLibCheck: true,
}

/** A program in the compiler, with what its places mean. */
export interface CheckedProgram {
  readonly file: ts.SourceFile
  readonly checker: ts.TypeChecker
  readonly diagnostics: readonly ts.Diagnostic[]
}

/** The compiler kept warm: the library is read once, and the declarations as long as they stay the same. */
export class ProgramService {
  readonly #service: ts.LanguageService
  readonly #library = new Map<string, ts.IScriptSnapshot | undefined>()
  #program = ''
  #declarations = ''
  #programVersion = 0
  #declarationsVersion = 0

  constructor() {
    const { sys } = ts
    if (sys === undefined)
      throw new ToolgateError(
        'INVALID_OPTIONS',
        'typescriptChecker reads the library files of TypeScript and needs a runtime with a file system',
      )
    const library = ts.getDefaultLibFilePath(OPTIONS).replace(/[^/\\]+$/, '')
    if (!sys.fileExists(`${library}lib.es2023.d.ts`))
      throw new ToolgateError('INVALID_OPTIONS', `typescriptChecker finds no library files in ${library}`)
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => OPTIONS,
      getScriptFileNames: () => [DECLARATIONS, PROGRAM],
      getScriptVersion: name => this.#versionOf(name),
      getScriptSnapshot: name => this.#snapshotOf(name),
      getCurrentDirectory: () => '/',
      getDefaultLibFileName: () => `${library}lib.es2023.d.ts`,
      fileExists: name => name === PROGRAM || name === DECLARATIONS || sys.fileExists(name),
      readFile: name => sys.readFile(name),
    })
  }

  check(program: string, declarations: string): CheckedProgram {
    if (declarations !== this.#declarations) {
      this.#declarations = declarations
      this.#declarationsVersion++
    }
    this.#program = program
    this.#programVersion++
    const compiled = this.#service.getProgram() as ts.Program
    const file = compiled.getSourceFile(PROGRAM) as ts.SourceFile
    return { file, checker: compiled.getTypeChecker(), diagnostics: compiled.getSemanticDiagnostics(file) }
  }

  #versionOf(name: string): string {
    if (name === PROGRAM) return String(this.#programVersion)
    return name === DECLARATIONS ? String(this.#declarationsVersion) : 'library'
  }

  #snapshotOf(name: string): ts.IScriptSnapshot | undefined {
    if (name === PROGRAM) return ts.ScriptSnapshot.fromString(this.#program)
    if (name === DECLARATIONS) return ts.ScriptSnapshot.fromString(`${this.#declarations}\n${GLOBALS}`)
    if (!this.#library.has(name)) {
      const text = ts.sys.readFile(name)
      this.#library.set(name, text === undefined ? undefined : ts.ScriptSnapshot.fromString(text))
    }
    return this.#library.get(name)
  }
}
