import ts from 'typescript'
import { bounded, forEachNode, isAccess, isOwn, isWrapper, variableAt } from './nodes.js'
import type { CheckedProgram } from './program-service.js'

const {
  QuestionQuestionEqualsToken,
  BarBarEqualsToken,
  AmpersandAmpersandEqualsToken,
  QuestionQuestionToken,
  BarBarToken,
  AmpersandAmpersandToken,
  CommaToken,
  NullKeyword,
  TrueKeyword,
  FalseKeyword,
  InstanceOfKeyword,
  EqualsToken,
  EqualsEqualsToken,
  EqualsEqualsEqualsToken,
  ExclamationEqualsToken,
  ExclamationEqualsEqualsToken,
} = ts.SyntaxKind
const CHOOSING: readonly ts.SyntaxKind[] = [QuestionQuestionToken, BarBarToken, AmpersandAmpersandToken]
const CHOOSING_AND_SETTING: readonly ts.SyntaxKind[] = [
  QuestionQuestionEqualsToken,
  BarBarEqualsToken,
  AmpersandAmpersandEqualsToken,
]
const COMPARING: readonly ts.SyntaxKind[] = [
  EqualsEqualsToken,
  EqualsEqualsEqualsToken,
  ExclamationEqualsToken,
  ExclamationEqualsEqualsToken,
]
/** Functions of the language that say of anything whether it is what is looked for. */
const PREDICATES = /^(Boolean|(Array|Number|Error)\.is\w+|isNaN|isFinite)$/

/** Methods that take the answer of their callback for yes or no. */
const CHOOSERS = /^(filter|some|every|find|findIndex|findLast|findLastIndex)$/

/** Functions of the language that make a number of anything, and none of what is not there. */
const TO_NUMBER = /^(Number|(Number\.)?parse(Int|Float))$/

const isChooser = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  CHOOSERS.test(node.expression.name.text)

const NOTHING_OR_FLAG: readonly ts.SyntaxKind[] = [NullKeyword, TrueKeyword, FalseKeyword]

const isNothingOrFlag = (node: ts.Node): boolean =>
  NOTHING_OR_FLAG.includes(node.kind) || (ts.isIdentifier(node) && node.text === 'undefined')

const usesKnown = new WeakMap<ts.SourceFile, ReadonlyMap<ts.Symbol, readonly ts.Identifier[]>>()

function collectUses({ file, checker }: CheckedProgram): ReadonlyMap<ts.Symbol, readonly ts.Identifier[]> {
  const found = new Map<ts.Symbol, ts.Identifier[]>()
  forEachNode(file, node => {
    if (!ts.isIdentifier(node)) return
    const { parent } = node
    const isDeclared =
      (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isBindingElement(parent)) &&
      parent.initializer !== node
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node
    const symbol = isDeclared || isMember ? undefined : variableAt(checker, node)
    if (symbol === undefined) return
    const uses = found.get(symbol)
    if (uses === undefined) found.set(symbol, [node])
    else uses.push(node)
  })
  return found
}

/** All places of a program where a variable is used. */
export function usesOf(program: CheckedProgram, symbol: ts.Symbol): readonly ts.Identifier[] {
  let uses = usesKnown.get(program.file)
  if (uses === undefined) {
    uses = collectUses(program)
    usesKnown.set(program.file, uses)
  }
  return uses.get(symbol) ?? []
}

/**
 * True if an expression, or a variable that takes its value, stands where a program asks whether something is there: in a
 * condition, before `??` or `?.`, compared with undefined, among candidates that one is chosen from. What is followed too far
 * may be asked for.
 */
export function isAskedFor(program: CheckedProgram, node: ts.Node): boolean {
  const seen = [new Set<ts.Symbol>(), new Set<ts.Symbol>()] as const
  const asks = bounded(true, (at: ts.Node, isNumber: boolean): boolean =>
    isAskedAt(program, at, isNumber, (name, isMadeNumber) => {
      const symbol = ts.isIdentifier(name) ? variableAt(program.checker, name) : undefined
      const met = seen[isMadeNumber ? 1 : 0]
      if (symbol === undefined || met.has(symbol)) return false
      met.add(symbol)
      return usesOf(program, symbol).some(use => asks(use, isMadeNumber))
    }),
  )
  return asks(node, false)
}

/** `isNumber` if a number was made of it: of that, only `||`, conditions and predicates ask. */
function isAskedAt(
  { checker, file }: CheckedProgram,
  node: ts.Node,
  isNumber: boolean,
  isNameAsked: (name: ts.Node, isNumber: boolean) => boolean,
): boolean {
  let isMadeNumber = isNumber
  const isVariableAsked = (name: ts.Node): boolean => isNameAsked(name, isMadeNumber)
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
  const isListAsked = (list: ts.Node): boolean => {
    let whole = list
    while (isWrapper(whole.parent)) whole = whole.parent
    const call = whole.parent.parent
    if (!isAccess(whole.parent) || !isChooser(call) || !ts.isCallExpression(call)) return false
    const [callback] = call.arguments
    if (call.expression !== whole.parent || callback === undefined) return false
    if (PREDICATES.test(callback.getText(file))) return true
    if (!ts.isArrowFunction(callback) && !ts.isFunctionExpression(callback)) return false
    const [item] = callback.parameters
    return item !== undefined && isVariableAsked(item.name)
  }
  const isMadeNumberBy = (call: ts.Node, at: ts.Node): boolean =>
    ts.isCallExpression(call) &&
    call.arguments[0] === at &&
    TO_NUMBER.test(call.expression.getText(file)) &&
    !isOwn(checker.getSymbolAtLocation(call.expression), file)
  if (ts.isBindingElement(node)) return node.initializer !== undefined || isVariableAsked(node.name)
  for (let at = node; ; at = at.parent) {
    const { parent } = at
    if (isWrapper(parent) || ts.isAwaitExpression(parent)) continue
    if (isMadeNumberBy(parent, at)) {
      isMadeNumber = true
      continue
    }
    if (ts.isBinaryExpression(parent)) {
      const { left, right, operatorToken } = parent
      if (CHOOSING.includes(operatorToken.kind)) {
        if (left === at) return !isMadeNumber || operatorToken.kind !== QuestionQuestionToken
        continue
      }
      if (operatorToken.kind === InstanceOfKeyword) return left === at && !isMadeNumber
      if (CHOOSING_AND_SETTING.includes(operatorToken.kind) && left === at) return true
      if (operatorToken.kind === CommaToken && right === at) continue
      if (COMPARING.includes(operatorToken.kind))
        return !isMadeNumber && isNothingOrFlag(left === at ? right : left)
      return operatorToken.kind === EqualsToken && right === at && isVariableAsked(left)
    }
    if (ts.isConditionalExpression(parent)) {
      if (parent.condition === at) return true
      continue
    }
    if (ts.isPrefixUnaryExpression(parent)) {
      if (parent.operator !== ts.SyntaxKind.PlusToken)
        return parent.operator === ts.SyntaxKind.ExclamationToken
      isMadeNumber = true
      continue
    }
    if (ts.isArrayLiteralExpression(parent)) return isListAsked(parent)
    if (ts.isTypeOfExpression(parent)) return !isMadeNumber
    if (ts.isVoidExpression(parent)) return true
    if (ts.isArrowFunction(parent)) return parent.body === at && isChooser(parent.parent)
    if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent))
      return parent.expression === at
    if (ts.isForStatement(parent)) return parent.condition === at
    if (isAccess(parent)) return parent.expression === at && parent.questionDotToken !== undefined
    if (ts.isCallExpression(parent))
      return parent.expression === at ? parent.questionDotToken !== undefined : isArgumentAsked(parent, at)
    return ts.isVariableDeclaration(parent) && parent.initializer === at && isVariableAsked(parent.name)
  }
}
