import { Script } from 'node:vm'
import ts from 'typescript'

const OPEN = 'async function program() {'
const CLOSE = '\n}'

const diagnosticsOf = (file: ts.SourceFile): readonly ts.Diagnostic[] =>
  (file as unknown as { parseDiagnostics: readonly ts.Diagnostic[] }).parseDiagnostics

/** What the compiler itself makes of a body without its types; nothing if it does not parse. */
export function compiled(body: string): string | undefined {
  const text = `${OPEN}${body}${CLOSE}`
  const file = ts.createSourceFile('p.ts', text, ts.ScriptTarget.ESNext, false, ts.ScriptKind.TS)
  // A body that leaves its function is none.
  if (diagnosticsOf(file).length > 0 || file.statements.length !== 1) return undefined
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, removeComments: true },
  })
  return outputText.replace(/^"use strict";\n/, '')
}

export const wrapped = (body: string): string => `${OPEN}${body}${CLOSE}`

/** True if the language takes a script. */
export function runs(script: string): boolean {
  try {
    new Script(script)
    return true
  } catch {
    return false
  }
}

/** What a script says, whatever its blanks, comments, parentheses and empty statements. */
export function meaning(script: string): string {
  // Read as JavaScript, as comparisons can look like type arguments; `</` is one sign there, for elements.
  const text = script.replaceAll('</', '< /')
  const file = ts.createSourceFile('p.js', text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS)
  const [fault] = diagnosticsOf(file)
  if (fault !== undefined) return `does not parse: ${String(fault.messageText)}`
  const say = (node: ts.Node): string => {
    if (ts.isParenthesizedExpression(node) || ts.isExpressionStatement(node)) return say(node.expression)
    if (ts.isEmptyStatement(node) || ts.isSemicolonClassElement(node)) return ''
    // `0, a` says what `(a)` does where a statement begins.
    if (
      ts.isBinaryExpression(node) &&
      node.left.getText(file) === '0' &&
      node.operatorToken.kind === ts.SyntaxKind.CommaToken
    )
      return say(node.right)
    const text = (node as { text?: unknown }).text
    const flags = ts.isVariableDeclarationList(node) ? `:${node.flags & ts.NodeFlags.BlockScoped}` : ''
    const own = typeof text === 'string' && !ts.isSourceFile(node) ? JSON.stringify(text) : ''
    const operator =
      ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node) ? `:${node.operator}` : ''
    const parts: string[] = []
    ts.forEachChild(node, child => {
      parts.push(say(child))
    })
    // The compiler makes a declaration of `<T>class A {}` where a statement begins.
    const kind = ts.isClassLike(node) ? 'Class' : ts.SyntaxKind[node.kind]
    return `(${kind}${flags}${operator}${own}${parts.join('')})`
  }
  return say(file)
}
