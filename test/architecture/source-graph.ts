import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'

/** One `import`, `export ... from`, `import()` or `import('...').Name`. */
export interface ImportEdge {
  readonly specifier: string
  /** The file meant, relative to `src`; `undefined` for packages. */
  readonly target: string | undefined
  readonly kind: 'static' | 'dynamic' | 'type'
  /** Names as the target exports them; `*` for a whole namespace. */
  readonly names: readonly string[]
}

export interface SourceFile {
  /** Relative to `src`, with forward slashes. */
  readonly path: string
  readonly lines: number
  readonly imports: readonly ImportEdge[]
  /** What each exported name is called where it is declared or re-exported from. `*` collects `export * from`. */
  readonly exports: ReadonlyMap<string, { readonly file: string; readonly name: string }>
  readonly starExports: readonly string[]
  /** True if every statement is an `export ... from`. */
  readonly onlyReExports: boolean
  readonly hasDefaultExport: boolean
  /** Uses of `eval`, `Function(...)`, `WebAssembly`, as written. */
  readonly codeGeneration: readonly string[]
}

export type SourceGraph = ReadonlyMap<string, SourceFile>

function resolveTarget(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts')
}

const hasModifier = (node: ts.Node, kind: ts.SyntaxKind): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(modifier => modifier.kind === kind)

function declaredNames(statement: ts.Statement): string[] {
  if (!hasModifier(statement, ts.SyntaxKind.ExportKeyword)) return []
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(declaration => declaration.name.getText())
  const { name } = statement as ts.Statement & { readonly name?: ts.Node }
  return name === undefined ? [] : [name.getText()]
}

function importedNames(clause: ts.ImportClause | undefined): string[] {
  if (clause === undefined) return []
  const names = clause.name === undefined ? [] : ['default']
  const bindings = clause.namedBindings
  if (bindings === undefined) return names
  if (ts.isNamespaceImport(bindings)) return [...names, '*']
  return [...names, ...bindings.elements.map(element => (element.propertyName ?? element.name).text)]
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false
  if (clause.isTypeOnly) return true
  const bindings = clause.namedBindings
  if (clause.name !== undefined || bindings === undefined || !ts.isNamedImports(bindings)) return false
  return bindings.elements.length > 0 && bindings.elements.every(element => element.isTypeOnly)
}

/** Reads what the rules need from one file's text. */
export function parseSource(path: string, text: string): SourceFile {
  const root = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS)
  const imports: ImportEdge[] = []
  const exports = new Map<string, { file: string; name: string }>()
  const locals = new Map<string, { file: string; name: string }>()
  const starExports: string[] = []
  const codeGeneration: string[] = []
  let hasDefaultExport = false
  const addImport = (specifier: string, kind: ImportEdge['kind'], names: readonly string[]): void => {
    imports.push({ specifier, target: resolveTarget(path, specifier), kind, names })
  }

  for (const statement of root.statements) {
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const specifier = statement.moduleSpecifier.text
      addImport(
        specifier,
        isTypeOnly(statement.importClause) ? 'type' : 'static',
        importedNames(statement.importClause),
      )
      const bindings = statement.importClause?.namedBindings
      if (bindings !== undefined && ts.isNamedImports(bindings)) {
        for (const { name, propertyName } of bindings.elements)
          locals.set(name.text, {
            file: resolveTarget(path, specifier) ?? specifier,
            name: (propertyName ?? name).text,
          })
      }
    } else if (ts.isExportDeclaration(statement)) {
      const from =
        statement.moduleSpecifier !== undefined && ts.isStringLiteral(statement.moduleSpecifier)
          ? statement.moduleSpecifier.text
          : undefined
      const target = from === undefined ? undefined : (resolveTarget(path, from) ?? from)
      const clause = statement.exportClause
      if (clause === undefined || ts.isNamespaceExport(clause)) {
        if (from !== undefined) addImport(from, statement.isTypeOnly ? 'type' : 'static', ['*'])
        if (target !== undefined && clause === undefined) starExports.push(target)
        if (clause !== undefined) exports.set(clause.name.text, { file: target ?? path, name: '*' })
        continue
      }
      const typeOnly = statement.isTypeOnly || clause.elements.every(element => element.isTypeOnly)
      const names = clause.elements.map(element => (element.propertyName ?? element.name).text)
      if (from !== undefined) addImport(from, typeOnly ? 'type' : 'static', names)
      for (const { name, propertyName } of clause.elements) {
        const original = (propertyName ?? name).text
        if (name.text === 'default') hasDefaultExport = true
        const local = target === undefined ? locals.get(original) : { file: target, name: original }
        exports.set(name.text, local ?? { file: path, name: original })
      }
    } else {
      if (ts.isExportAssignment(statement) || hasModifier(statement, ts.SyntaxKind.DefaultKeyword))
        hasDefaultExport = true
      for (const name of declaredNames(statement)) exports.set(name, { file: path, name })
    }
  }

  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments
      if (argument !== undefined && ts.isStringLiteralLike(argument))
        addImport(argument.text, 'dynamic', ['*'])
    }
    if (
      ts.isImportTypeNode(node) &&
      ts.isLiteralTypeNode(node.argument) &&
      ts.isStringLiteral(node.argument.literal)
    )
      addImport(node.argument.literal.text, 'type', [node.qualifier?.getText() ?? '*'])
    if (ts.isIdentifier(node) && generatesCode(node)) codeGeneration.push(node.parent.getText().slice(0, 60))
    ts.forEachChild(node, visit)
  }
  visit(root)

  return {
    path,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    imports,
    exports,
    starExports,
    onlyReExports: root.statements.every(
      statement => ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined,
    ),
    hasDefaultExport,
    codeGeneration,
  }
}

function generatesCode(node: ts.Identifier): boolean {
  const { parent, text } = node
  if (text === 'WebAssembly' && !ts.isTypeReferenceNode(parent) && !ts.isQualifiedName(parent)) return true
  const called = (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === node
  return called && (text === 'eval' || text === 'Function')
}

/** A graph of texts by path, for the checks of the checks. */
export function graphOf(texts: { readonly [path: string]: string }): SourceGraph {
  return new Map(Object.entries(texts).map(([path, text]) => [path, parseSource(path, text)]))
}

/** The graph of the files under a folder. */
export function readGraph(folder: string): SourceGraph {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.ts'))
    .sort()
  return new Map(paths.map(path => [path, parseSource(path, readFileSync(join(folder, path), 'utf8'))]))
}
