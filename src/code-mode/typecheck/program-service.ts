import ts from 'typescript'
import { readLibrary } from './library.js'

const PROGRAM = '/program.ts'
const DECLARATIONS = '/declarations.d.ts'
const libraryName = (index: number): string => `/library-${index}.d.ts`

const GLOBALS = `
declare function setTimeout(callback: (...args: any[]) => void, ms?: number, ...args: any[]): number
declare function clearTimeout(id?: number): void
declare function queueMicrotask(callback: () => void): void
declare function structuredClone<T>(value: T): T
declare function atob(text: string): string
declare function btoa(text: string): string
declare const crypto: { randomUUID(): string; getRandomValues<T>(array: T): T }
declare const performance: { now(): number }
declare const URL: any, URLSearchParams: any, TextEncoder: any, TextDecoder: any, DOMException: any
`

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  noLib: true,
  strict: true,
  noEmit: true,
  types: [],
  skipLibCheck: true,
  skipDefaultLibCheck: true,
}

/** A program in the compiler, with what its places mean. */
export interface CheckedProgram {
  readonly file: ts.SourceFile
  /** Where tools, catalogue and their types are declared. */
  readonly declarations: ts.SourceFile
  readonly checker: ts.TypeChecker
  readonly diagnostics: readonly ts.Diagnostic[]
}

/** The compiler kept warm: the library is read once, and the declarations as long as they stay the same. */
export class ProgramService {
  readonly #service: ts.LanguageService
  readonly #library: ReadonlyMap<string, ts.IScriptSnapshot>
  #program: ts.IScriptSnapshot = ts.ScriptSnapshot.fromString('')
  #declarations = ''
  #declared: ts.IScriptSnapshot = ts.ScriptSnapshot.fromString('')
  #programVersion = 0
  #declarationsVersion = 0

  constructor() {
    this.#library = new Map(
      readLibrary().map((text, i) => [libraryName(i), ts.ScriptSnapshot.fromString(text)]),
    )
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => OPTIONS,
      getScriptFileNames: () => [...this.#library.keys(), DECLARATIONS, PROGRAM],
      getScriptVersion: name => this.#versionOf(name),
      getScriptSnapshot: name => this.#snapshotOf(name),
      getCurrentDirectory: () => '/',
      getDefaultLibFileName: () => libraryName(0),
      fileExists: name => this.#snapshotOf(name) !== undefined,
      readFile: () => undefined,
    })
  }

  /** `undefined` if the program does not parse. */
  check(program: string, declarations: string): CheckedProgram | undefined {
    if (declarations !== this.#declarations) {
      this.#declarations = declarations
      this.#declared = ts.ScriptSnapshot.fromString(`${declarations}\n${GLOBALS}`)
      this.#declarationsVersion++
    }
    this.#program = ts.ScriptSnapshot.fromString(program)
    this.#programVersion++
    const compiled = this.#service.getProgram() as ts.Program
    const file = compiled.getSourceFile(PROGRAM) as ts.SourceFile
    if (compiled.getSyntacticDiagnostics(file).length > 0) return undefined
    return {
      file,
      declarations: compiled.getSourceFile(DECLARATIONS) as ts.SourceFile,
      checker: compiled.getTypeChecker(),
      diagnostics: compiled.getSemanticDiagnostics(file),
    }
  }

  #versionOf(name: string): string {
    if (name === PROGRAM) return String(this.#programVersion)
    return name === DECLARATIONS ? String(this.#declarationsVersion) : 'library'
  }

  #snapshotOf(name: string): ts.IScriptSnapshot | undefined {
    if (name === PROGRAM) return this.#program
    return name === DECLARATIONS ? this.#declared : this.#library.get(name)
  }
}
