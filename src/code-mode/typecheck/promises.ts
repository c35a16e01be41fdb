import ts from 'typescript'
import { isAskedFor, usesOf } from './asking.js'
import { askedOnce, bounded, isPromise, unwrapped, variableAt } from './nodes.js'
import type { OwnWord } from './own-word.js'
import type { CheckedProgram } from './program-service.js'
import { beginsAsNothing, type Writes } from './writes.js'

/** Tells of expressions whether they are promises. A type that says so is not enough: what has that type may be there or not. */
export interface Promises {
  /** True for what can be nothing but a promise when it is used. */
  isMade(expression: ts.Expression): boolean
  /** True for a promise that the program takes for its value wherever it is used: whoever awaits it knows what it is. */
  isMistaken(expression: ts.Expression): boolean
}

export function createPromises(
  program: CheckedProgram,
  writes: () => Writes,
  ownWord: () => OwnWord,
): Promises {
  const { checker, file, declarations } = program
  const known = [new Map<ts.Node, boolean>(), new Map<ts.Node, boolean>()] as const

  const is = (expression: ts.Expression, isMistaken: boolean): boolean => {
    const at = unwrapped(expression)
    return askedOnce(known[isMistaken ? 1 : 0], at, () => find(at, isMistaken))
  }

  const find = bounded(false, (at: ts.Expression, isMistaken: boolean): boolean => {
    if (!isPromise(checker.getTypeAtLocation(at), file)) return false
    if (ts.isCallExpression(at)) return returnsPromise(at)
    if (ts.isNewExpression(at)) return !ownWord().ofExpression(at.expression)
    if (ts.isConditionalExpression(at)) return is(at.whenTrue, isMistaken) && is(at.whenFalse, isMistaken)
    const symbol = ts.isIdentifier(at) ? variableAt(checker, at) : undefined
    if (symbol === undefined) return false
    const values = valuesOf(symbol)
    if (values.length === 0 || !values.every(value => value !== undefined && is(value, isMistaken)))
      return false
    return !isMistaken || usesOf(program, symbol).every(use => isAskedFor(program, use))
  })

  /** All that a variable is set to. What begins as nothing is followed by the compiler. */
  const valuesOf = (symbol: ts.Symbol): readonly (ts.Expression | undefined)[] => {
    const declaration = symbol.valueDeclaration
    if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return []
    const later = writes().values.get(symbol) ?? []
    if (beginsAsNothing(declaration)) return later
    return declaration.initializer === undefined ? [] : [declaration.initializer, ...later]
  }

  const returnsPromise = (call: ts.CallExpression): boolean => {
    const made = checker.getResolvedSignature(call)?.declaration
    if (made === undefined || ownWord().ofCallee(call)) return false
    if (made.getSourceFile() !== file) {
      // The language makes promises of the program's class where it has one.
      if (made.getSourceFile() !== declarations && writes().extended.promise) return false
      const { type } = made
      return type !== undefined && ts.isTypeReferenceNode(type) && type.typeName.getText() === 'Promise'
    }
    if (!ts.isFunctionLike(made) || !ts.canHaveModifiers(made)) return false
    if (ts.getModifiers(made)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)) return true
    return ts.isArrowFunction(made) && !ts.isBlock(made.body) && is(made.body, false)
  }

  return {
    isMade: expression => is(expression, false),
    isMistaken: expression => is(expression, true),
  }
}
