import ts from 'typescript'

/** The innermost node that has a whole range in it. */
export function nodeSpanning(file: ts.SourceFile, start: number, length: number): ts.Node {
  const spans = (node: ts.Node): ts.Node | undefined =>
    start >= node.getStart(file) && start + length <= node.getEnd() ? node : undefined
  let found: ts.Node = file
  for (;;) {
    const inner: ts.Node | undefined = ts.forEachChild(found, spans)
    if (inner === undefined) return found
    found = inner
  }
}

/** An expression that only says of another what it is: parentheses, `as`, `satisfies`, `!`. */
export function isWrapper(
  node: ts.Node,
): node is
  | ts.ParenthesizedExpression
  | ts.AsExpression
  | ts.TypeAssertion
  | ts.SatisfiesExpression
  | ts.NonNullExpression {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isTypeAssertionExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  )
}

export function unwrapped(expression: ts.Expression): ts.Expression {
  let at = expression
  while (isWrapper(at)) at = at.expression
  return at
}

export const isAccess = (node: ts.Node): node is ts.PropertyAccessExpression | ts.ElementAccessExpression =>
  ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)

/** What an access looks up, as it is written. */
export const memberOf = (access: ts.PropertyAccessExpression | ts.ElementAccessExpression): ts.Node =>
  ts.isPropertyAccessExpression(access) ? access.name : access.argumentExpression

export const isConstant = (declaration: ts.Declaration): boolean =>
  (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0

/** The name that an access looks up, if it is written there. */
export function accessedName(
  access: ts.PropertyAccessExpression | ts.ElementAccessExpression,
): string | undefined {
  if (ts.isPropertyAccessExpression(access)) return access.name.text
  const key = unwrapped(access.argumentExpression)
  return ts.isStringLiteralLike(key) || ts.isNumericLiteral(key) ? key.text : undefined
}

/** True for the operators that set what stands on their left. */
export const isAssignment = ({ operatorToken: { kind } }: ts.BinaryExpression): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment

/** The variable that an identifier means, also in `{ name }`. */
export function variableAt(checker: ts.TypeChecker, identifier: ts.Identifier): ts.Symbol | undefined {
  return ts.isShorthandPropertyAssignment(identifier.parent)
    ? checker.getShorthandAssignmentValueSymbol(identifier.parent)
    : checker.getSymbolAtLocation(identifier)
}

/** True for what the program declares itself. */
export function isOwn(symbol: ts.Symbol | undefined, file: ts.SourceFile): boolean {
  return (symbol?.declarations ?? []).some(declaration => declaration.getSourceFile() === file)
}

/** True for a promise of the language, and no other type of that name. */
export function isPromise(type: ts.Type, file: ts.SourceFile): boolean {
  return type.symbol?.name === 'Promise' && !isOwn(type.symbol, file)
}

/** Calls `each` for a node and all in it, however deep they lie in one another. */
export function forEachNode(whole: ts.Node, each: (node: ts.Node) => void): void {
  const open: ts.Node[] = [whole]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    each(node)
    ts.forEachChild(node, child => {
      open.push(child)
    })
  }
}

/** How many steps a question about a program is followed. */
const MAX_DEPTH = 100

/**
 * A question that asks itself of other places, which gets the answer `deep` where it has gone too far. The host's stack would
 * end somewhere, and with it the whole check.
 */
export function bounded<Terms extends unknown[]>(
  deep: boolean,
  ask: (...terms: Terms) => boolean,
): (...terms: Terms) => boolean {
  let depth = 0
  return (...terms) => {
    if (depth === MAX_DEPTH) return deep
    depth++
    try {
      return ask(...terms)
    } finally {
      depth--
    }
  }
}

/** Asks each question once. What leads back to itself says nothing: it is no until it is answered. */
export function askedOnce<Key>(answers: Map<Key, boolean>, key: Key, ask: () => boolean): boolean {
  const answer = answers.get(key)
  if (answer !== undefined) return answer
  answers.set(key, false)
  const found = ask()
  answers.set(key, found)
  return found
}
