import ts from 'typescript'
import { forEachNode, isPromise, unwrapped } from './nodes.js'
import type { CheckedProgram } from './program-service.js'
import type { Promises } from './promises.js'
import type { Writes } from './writes.js'

const NEGATED = 'This condition is always false since the promise is always defined.'
const ALWAYS = 'This condition is always true since the promise is always defined.'
const TEXT = 'The text of a promise is "[object Promise]".'
const NUMBER = 'A promise is no number.'
const NO_MEMBERS = 'A promise has nothing to loop over.'
const NO_SPREAD = 'A promise has nothing to spread.'
const CONDITIONS = [NEGATED, ALWAYS]

const { ExclamationToken, MinusToken, PlusToken, TildeToken, PlusEqualsToken } = ts.SyntaxKind
const NUMBERS: readonly ts.SyntaxKind[] = [MinusToken, PlusToken, TildeToken]
const ADDING: readonly ts.SyntaxKind[] = [PlusToken, PlusEqualsToken]

/** What is used, what is wrong with that if it is a promise, and what else must be a text for it. */
type Use = readonly [used: ts.Expression, what: string, beside?: ts.Expression]

/** What a node uses in ways that the compiler lets pass whatever it is. */
function usesIn(node: ts.Node): readonly Use[] {
  if (ts.isPrefixUnaryExpression(node)) {
    if (node.operator === ExclamationToken) return [[node.operand, NEGATED]]
    return NUMBERS.includes(node.operator) ? [[node.operand, NUMBER]] : []
  }
  if (ts.isTemplateSpan(node) && !ts.isTaggedTemplateExpression(node.parent.parent))
    return [[node.expression, TEXT]]
  if (ts.isWhileStatement(node) || ts.isDoStatement(node)) return [[node.expression, ALWAYS]]
  if (ts.isForStatement(node)) return node.condition === undefined ? [] : [[node.condition, ALWAYS]]
  if (ts.isForInStatement(node)) return [[node.expression, NO_MEMBERS]]
  if (ts.isSpreadAssignment(node)) return [[node.expression, NO_SPREAD]]
  if (!ts.isBinaryExpression(node) || !ADDING.includes(node.operatorToken.kind)) return []
  const { left, right } = node
  return [
    [left, TEXT, right],
    [right, TEXT, left],
  ]
}

/** False for most expressions, whose types it takes the compiler long to find anew for each part of a long one. */
function mayBePromise(expression: ts.Expression): boolean {
  const at = unwrapped(expression)
  return ts.isCallExpression(at) || ts.isIdentifier(at) || ts.isNewExpression(at)
}

/** Promises in the place of their values that the compiler lets pass: negated, in texts, as numbers, in conditions of loops. */
export function misusedPromises(
  { file, checker }: CheckedProgram,
  promises: Promises,
  writes: () => Writes,
): ts.DiagnosticWithLocation[] {
  const isText = (side: ts.Expression): boolean =>
    (checker.getTypeAtLocation(side).flags & ts.TypeFlags.StringLike) !== 0
  const isMisused = (used: ts.Expression, what: string): boolean => {
    const type = checker.getTypeAtLocation(used)
    if (!isPromise(type, file)) return false
    if (CONDITIONS.includes(what)) return promises.isMistaken(used)
    // A member that the program gives to a promise may be what makes a text or a number of it.
    const isExtended = [...writes().added.values()].some(types =>
      [...types].some(to => checker.isTypeAssignableTo(type, to)),
    )
    return !isExtended && promises.isMade(used)
  }
  const found: ts.DiagnosticWithLocation[] = []
  forEachNode(file, node => {
    for (const [used, messageText, beside] of usesIn(node)) {
      if (!mayBePromise(used) || !isMisused(used, messageText)) continue
      if (beside !== undefined && !isText(beside)) continue
      const start = used.getStart(file)
      const length = used.getEnd() - start
      found.push({ file, start, length, messageText, code: 0, category: ts.DiagnosticCategory.Error })
    }
  })
  return found
}
