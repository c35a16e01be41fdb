import ts from 'typescript'
import { isAskedFor, usesOf } from './asking.js'
import { forEachNode, isPromise, nodeSpanning, unwrapped, variableAt } from './nodes.js'
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
  const { checker, file } = program
  const at = unwrapped(expression)
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
}

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

/** Promises that are negated, which the compiler lets pass: `!` of one is always false. */
export function negatedPromises(program: CheckedProgram): ts.Diagnostic[] {
  const { file } = program
  const found: ts.Diagnostic[] = []
  forEachNode(file, node => {
    if (!ts.isPrefixUnaryExpression(node) || node.operator !== ts.SyntaxKind.ExclamationToken) return
    if (!isCertainPromise(program, node.operand)) return
    const start = node.operand.getStart(file)
    found.push({
      file,
      start,
      length: node.operand.getEnd() - start,
      messageText: 'This condition is always false since the promise is always defined.',
      code: ALWAYS_DEFINED,
      category: ts.DiagnosticCategory.Error,
    })
  })
  return found
}
