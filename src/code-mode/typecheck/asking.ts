import ts from 'typescript'
import { forEachNode, isAccess, isOwn, isWrapper, variableAt } from './nodes.js'
import type { CheckedProgram } from './program-service.js'

const {
  QuestionQuestionToken,
  BarBarToken,
  AmpersandAmpersandToken,
  CommaToken,
  EqualsToken,
  EqualsEqualsToken,
  EqualsEqualsEqualsToken,
  ExclamationEqualsToken,
  ExclamationEqualsEqualsToken,
} = ts.SyntaxKind
const CHOOSING: readonly ts.SyntaxKind[] = [QuestionQuestionToken, BarBarToken, AmpersandAmpersandToken]
const COMPARING: readonly ts.SyntaxKind[] = [
  EqualsEqualsToken,
  EqualsEqualsEqualsToken,
  ExclamationEqualsToken,
  ExclamationEqualsEqualsToken,
]
/** Functions of the language that say of anything whether it is what is looked for. */
const PREDICATES = /^(Boolean|(Array|Number|Error)\.is\w+|isNaN|isFinite)$/

const isNothing = (node: ts.Node): boolean =>
  node.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(node) && node.text === 'undefined')

/** All places of a program where a variable is used. */
export function usesOf({ file, checker }: CheckedProgram, symbol: ts.Symbol): ts.Identifier[] {
  const found: ts.Identifier[] = []
  forEachNode(file, node => {
    if (!ts.isIdentifier(node) || node.text !== symbol.name) return
    const { parent } = node
    const isDeclared =
      (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isBindingElement(parent)) &&
      parent.initializer !== node
    if (!isDeclared && variableAt(checker, node) === symbol) found.push(node)
  })
  return found
}

/**
 * True if an expression, or a variable that takes its value, stands where a program asks whether something is there: in a
 * condition, before `??` or `?.`, compared with undefined.
 */
export function isAskedFor(
  program: CheckedProgram,
  node: ts.Node,
  seen: Set<ts.Symbol> = new Set(),
): boolean {
  const { checker, file } = program
  const isVariableAsked = (name: ts.Node): boolean => {
    const symbol = ts.isIdentifier(name) ? variableAt(checker, name) : undefined
    if (symbol === undefined || seen.has(symbol)) return false
    seen.add(symbol)
    return usesOf(program, symbol).some(use => isAskedFor(program, use, seen))
  }
  const isArgumentAsked = (call: ts.CallExpression, at: ts.Node): boolean => {
    if (PREDICATES.test(call.expression.getText(file))) return true
    const signature = checker.getResolvedSignature(call)
    const made = signature?.declaration
    if (
      signature === undefined ||
      made === undefined ||
      !isOwn(checker.getSymbolAtLocation(call.expression), file)
    )
      return false
    if (checker.getTypePredicateOfSignature(signature) !== undefined) return true
    const parameter = made.parameters[call.arguments.indexOf(at as ts.Expression)]
    if (parameter === undefined || !ts.isParameter(parameter)) return false
    return parameter.initializer !== undefined || isVariableAsked(parameter.name)
  }
  if (ts.isBindingElement(node)) return node.initializer !== undefined || isVariableAsked(node.name)
  for (let at = node; ; at = at.parent) {
    const { parent } = at
    if (isWrapper(parent) || ts.isAwaitExpression(parent)) continue
    if (ts.isBinaryExpression(parent)) {
      const { left, right, operatorToken } = parent
      if (CHOOSING.includes(operatorToken.kind)) {
        if (left === at) return true
        continue
      }
      if (operatorToken.kind === CommaToken && right === at) continue
      if (COMPARING.includes(operatorToken.kind)) return isNothing(left === at ? right : left)
      return operatorToken.kind === EqualsToken && right === at && isVariableAsked(left)
    }
    if (ts.isConditionalExpression(parent)) {
      if (parent.condition === at) return true
      continue
    }
    if (ts.isPrefixUnaryExpression(parent)) return parent.operator === ts.SyntaxKind.ExclamationToken
    if (ts.isTypeOfExpression(parent) || ts.isVoidExpression(parent)) return true
    if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent))
      return parent.expression === at
    if (ts.isForStatement(parent)) return parent.condition === at
    if (isAccess(parent)) return parent.expression === at && parent.questionDotToken !== undefined
    if (ts.isCallExpression(parent))
      return parent.expression === at ? parent.questionDotToken !== undefined : isArgumentAsked(parent, at)
    return ts.isVariableDeclaration(parent) && parent.initializer === at && isVariableAsked(parent.name)
  }
}
