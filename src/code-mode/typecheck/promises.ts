import ts from 'typescript'
import { isAskedFor, usesOf } from './asking.js'
import { askedOnce, bounded, forEachNode, isPromise, nodeSpanning, unwrapped, variableAt } from './nodes.js'
import type { OwnWord } from './own-word.js'
import type { CheckedProgram } from './program-service.js'

/** `this condition will always return true`. */
export const ALWAYS_DEFINED = 2801

/** True for a promise in arithmetic, a comparison, a loop: what fails or lies whatever else the program does. */
export function spansPromise(
  { file, checker }: CheckedProgram,
  ownWord: OwnWord,
  start: number,
  length: number,
): boolean {
  const node = nodeSpanning(file, start, length)
  const parts = ts.isBinaryExpression(node) ? [node.left, node.right] : [node]
  return parts.some(
    part => isPromise(checker.getTypeAtLocation(part), file) && !ownWord.ofExpression(part as ts.Expression),
  )
}

/**
 * True for an expression that can be nothing but a promise. A type that says so is not enough: an element, a field or a
 * variable of that type may be there or not, which is what the program asks.
 */
export function isCertainPromise(program: CheckedProgram, expression: ts.Expression): boolean {
  const at = unwrapped(expression)
  const answers = answersKnown.get(program.file) ?? new Map<ts.Node, boolean>()
  answersKnown.set(program.file, answers)
  return askedOnce(answers, at, () => findCertainPromise(program, at))
}

const answersKnown = new WeakMap<ts.SourceFile, Map<ts.Node, boolean>>()

const findCertainPromise = bounded(false, (program: CheckedProgram, at: ts.Expression): boolean => {
  const { checker, file } = program
  if (!isPromise(checker.getTypeAtLocation(at), file)) return false
  if (ts.isCallExpression(at)) return returnsPromise(program, at)
  const symbol = ts.isIdentifier(at) ? variableAt(checker, at) : undefined
  const declaration = symbol?.valueDeclaration
  if (symbol === undefined || declaration === undefined || !ts.isVariableDeclaration(declaration))
    return false
  const isConst = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0
  if (!isConst || declaration.initializer === undefined) return false
  // Whoever awaits it elsewhere knows what it is.
  return (
    isCertainPromise(program, declaration.initializer) &&
    usesOf(program, symbol).every(use => isAskedFor(program, use))
  )
})

function returnsPromise(program: CheckedProgram, call: ts.CallExpression): boolean {
  const made = program.checker.getResolvedSignature(call)?.declaration
  if (made === undefined) return false
  if (made.getSourceFile() !== program.file) {
    const { type } = made
    return type !== undefined && ts.isTypeReferenceNode(type) && type.typeName.getText() === 'Promise'
  }
  if (!ts.isFunctionLike(made) || !ts.canHaveModifiers(made)) return false
  if (ts.getModifiers(made)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)) return true
  return ts.isArrowFunction(made) && !ts.isBlock(made.body) && isCertainPromise(program, made.body)
}

const NEGATED = 'This condition is always false since the promise is always defined.'
const ALWAYS = 'This condition is always true since the promise is always defined.'
const TEXT = 'The text of a promise is "[object Promise]".'
const NUMBER = 'A promise is no number.'
const NO_MEMBERS = 'A promise has nothing to loop over.'

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
  if (!ts.isBinaryExpression(node) || !ADDING.includes(node.operatorToken.kind)) return []
  const { left, right } = node
  return [
    [left, TEXT, right],
    [right, TEXT, left],
  ]
}

/** False for most expressions, whose types it takes the compiler long to find anew for each part of a long one. */
function mayBeCertain(expression: ts.Expression): boolean {
  const at = unwrapped(expression)
  return ts.isCallExpression(at) || ts.isIdentifier(at)
}

/** Promises in the place of their values that the compiler lets pass: negated, in texts, as numbers, in conditions of loops. */
export function misusedPromises(program: CheckedProgram): ts.Diagnostic[] {
  const { file, checker } = program
  const isText = (side: ts.Expression): boolean =>
    (checker.getTypeAtLocation(side).flags & ts.TypeFlags.StringLike) !== 0
  const found: ts.Diagnostic[] = []
  forEachNode(file, node => {
    for (const [used, messageText, beside] of usesIn(node)) {
      if (!mayBeCertain(used) || !isCertainPromise(program, used)) continue
      if (beside !== undefined && !isText(beside)) continue
      const start = used.getStart(file)
      const length = used.getEnd() - start
      const category = ts.DiagnosticCategory.Error
      found.push({ file, start, length, messageText, code: ALWAYS_DEFINED, category })
    }
  })
  return found
}
