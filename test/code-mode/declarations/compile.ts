import ts from 'typescript'

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  skipDefaultLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  types: [],
  moduleDetection: ts.ModuleDetectionKind.Force,
}

const libraries = new Map<string, ts.SourceFile | undefined>()

/** One compiler complaint: where, and what. */
export interface Complaint {
  /** The line in its file, from 0. */
  readonly line: number
  readonly text: string
}

/** Compiles many files, each a module of its own, in one program; complaints by file, in the given order. */
export function compile(sources: readonly string[], options: ts.CompilerOptions = {}): Complaint[][] {
  const files = new Map(sources.map((source, index) => [`/case${index}.ts`, source]))
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(OPTIONS),
    fileExists: path => files.has(path) || ts.sys.fileExists(path),
    readFile: path => files.get(path) ?? ts.sys.readFile(path),
    writeFile: () => {},
    getSourceFile: (path, target) => {
      const text = files.get(path)
      if (text !== undefined) return ts.createSourceFile(path, text, target, true)
      if (!libraries.has(path)) {
        const library = ts.sys.readFile(path)
        libraries.set(
          path,
          library === undefined ? undefined : ts.createSourceFile(path, library, target, true),
        )
      }
      return libraries.get(path)
    },
  }
  const program = ts.createProgram([...files.keys()], { ...OPTIONS, ...options }, host)
  return [...files.keys()].map(path => {
    const file = program.getSourceFile(path)
    if (!file) throw new Error(`${path} is missing`)
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
    return found.map(diagnostic => ({
      line: file.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line,
      text: ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'),
    }))
  })
}

/** A source whose statements are judged one by one. */
export interface Judged {
  /** Declarations that have to compile. */
  readonly prelude: string
  /** One statement a line. */
  readonly statements: readonly string[]
}

export interface Verdict {
  /** Complaints about the prelude. */
  readonly broken: readonly Complaint[]
  /** For each statement, its first complaint, if any. */
  readonly statements: readonly (string | undefined)[]
}

/** Compiles each case and says which of its statements the compiler refuses. */
export function judge(cases: readonly Judged[], options: ts.CompilerOptions = {}): Verdict[] {
  const complaints = compile(
    cases.map(({ prelude, statements }) => `${prelude}\n${statements.join('\n')}`),
    options,
  )
  return cases.map(({ prelude, statements }, index) => {
    const first = prelude.split('\n').length
    const own = complaints[index] ?? []
    return {
      broken: own.filter(complaint => complaint.line < first),
      statements: statements.map((_, line) => own.find(complaint => complaint.line === first + line)?.text),
    }
  })
}

export const JSON_VALUE =
  'type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }'

/** A value as the expression a program would write. */
export function literal(value: unknown): string {
  // A bare `__proto__` key would set the prototype.
  return JSON.stringify(value)
    .replace(/[\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16)}`)
    .replace(/"__proto__":/g, '["__proto__"]:')
}

/**
 * True if an object of the literal has, as its own, a key that every object inherits. In a union, TypeScript compares
 * such a key with the inherited member of a type that does not declare it, even beside an index signature.
 */
export const hasInheritedKey = (text: string): boolean =>
  /"(?:constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toLocaleString|toString|valueOf)":/.test(
    text,
  )
