import ts from 'typescript'

/** True for a text read as an expression that begins with a function and is more than it: it is a body, as the runtime says. */
export function goesOnAfterFunction(file: ts.SourceFile): boolean {
  const last = file.statements.at(-1)
  if (last === undefined || !ts.isVariableStatement(last)) return false
  const value = last.declarationList.declarations[0]?.initializer
  if (value === undefined || !ts.isParenthesizedExpression(value)) return false
  let node: ts.Node = value.expression
  while (!ts.isFunctionExpression(node)) {
    const first: ts.Node | undefined = ts.forEachChild(node, child => child)
    if (first === undefined || first.pos !== node.pos) return false
    node = first
  }
  return node !== value.expression
}
