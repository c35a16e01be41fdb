import ts from 'typescript'
import { askedOnce, bounded, isAccess, isOwn, isWrapper, memberOf, unwrapped, variableAt } from './nodes.js'
import type { CheckedProgram } from './program-service.js'
import { isEmptyList, type Writes } from './writes.js'

/** Methods whose results come from their callbacks and not from what they are called on. */
const MAPPING = /^(map|flatMap)$/

const isMade = (node: ts.Node): boolean =>
  ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node) || ts.isNewExpression(node)

/** True for a member that is declared with its function. */
function isFunctionMember(declaration: ts.Declaration): boolean {
  if (ts.isMethodDeclaration(declaration)) return true
  if (!ts.isPropertyAssignment(declaration) && !ts.isPropertyDeclaration(declaration)) return false
  return declaration.initializer !== undefined && ts.isFunctionLike(declaration.initializer)
}

/** What operators join, however long the row. */
function operandsOf(row: ts.BinaryExpression): ts.Expression[] {
  const operands: ts.Expression[] = []
  let at: ts.Expression = row
  for (; ts.isBinaryExpression(at); at = at.left) operands.push(at.right)
  return [...operands, at]
}

/** Tells of expressions whether their types rest on the program's own word. */
export interface OwnWord {
  /** True if the type of an expression is what the program says, and may be another when it runs. */
  ofExpression(expression: ts.Expression): boolean
  /** The same for what a pattern takes apart. */
  ofBinding(element: ts.BindingElement): boolean
  /** True if another function may be called than the one that the types name. */
  ofCallee(call: ts.CallExpression): boolean
}

/**
 * Types that come from declarations and literals are certain. Those that come from annotations, `as`, members of the
 * program's own objects, elements of lists that it fills, or variables that it sets to something else are its own word.
 */
export function createOwnWord({ checker, file, declarations }: CheckedProgram, writes: Writes): OwnWord {
  const { retyped, values, declared, spelt } = writes
  const known = [new Map<ts.Declaration, boolean>(), new Map<ts.Declaration, boolean>()] as const

  const isOwnMember = (symbol: ts.Symbol | undefined): boolean =>
    symbol !== undefined && (retyped.has(symbol) || isOwn(symbol, file))

  // `inside`: what is asked for is a part of this expression's value. What goes too far may be anything.
  const rests = bounded(true, (at: ts.Expression, inside: boolean): boolean => {
    if (ts.isAsExpression(at) || ts.isTypeAssertionExpression(at))
      return ts.isConstTypeReference(at.type) ? rests(at.expression, inside) : true
    if (isWrapper(at) || ts.isAwaitExpression(at) || ts.isSpreadElement(at))
      return rests(at.expression, inside)
    if (isAccess(at)) {
      return isOwnMember(checker.getSymbolAtLocation(memberOf(at))) || rests(at.expression, true)
    }
    if (ts.isIdentifier(at)) return variableRests(variableAt(checker, at), inside)
    if (ts.isCallExpression(at)) return callRests(at, inside)
    // A proxy answers as it likes, whatever it stands for.
    if (ts.isNewExpression(at)) return ts.isIdentifier(at.expression) && at.expression.text === 'Proxy'
    if (ts.isConditionalExpression(at)) return rests(at.whenTrue, inside) || rests(at.whenFalse, inside)
    if (ts.isBinaryExpression(at)) return operandsOf(at).some(operand => rests(operand, inside))
    return ts.isArrayLiteralExpression(at) && at.elements.some(element => rests(element, inside))
  })

  const callRests = (call: ts.CallExpression, inside: boolean): boolean => {
    if (calleeRests(call.expression)) return true
    const made = checker.getResolvedSignature(call)?.declaration
    if (made?.getSourceFile() === file) return made.type !== undefined
    if (made?.getSourceFile() === declarations) return false
    const { expression: callee } = call
    if (!ts.isPropertyAccessExpression(callee)) return false
    if (MAPPING.test(callee.name.text)) return false
    return (
      rests(callee.expression, inside) ||
      call.arguments.some(arg => !ts.isFunctionLike(arg) && rests(arg, true))
    )
  }

  // A method of the program's own is what it says as long as nothing else of that name may stand in its place.
  const calleeRests = (callee: ts.Expression): boolean => {
    const at = unwrapped(callee)
    if (at !== callee && rests(callee, false)) return true
    if (!isAccess(at)) return rests(at, false)
    const member = checker.getSymbolAtLocation(memberOf(at))
    if (!isOwn(member, file)) return rests(at, false)
    const declaration = member?.valueDeclaration
    if (member === undefined || declaration === undefined || retyped.has(member)) return true
    if ((declared.get(member.name) ?? 0) > 1 || spelt.has(member.name)) return true
    return !isFunctionMember(declaration) || rests(at.expression, false)
  }

  const variableRests = (symbol: ts.Symbol | undefined, inside: boolean): boolean => {
    if (symbol !== undefined && retyped.has(symbol)) return true
    const declaration = symbol?.valueDeclaration
    return declaration?.getSourceFile() === file && declarationRests(declaration, inside)
  }

  const declarationRests = (declaration: ts.Declaration, inside: boolean): boolean =>
    askedOnce(known[inside ? 1 : 0], declaration, () => readDeclaration(declaration, inside))

  const readDeclaration = (declaration: ts.Declaration, inside: boolean): boolean => {
    if (ts.isBindingElement(declaration)) {
      const { propertyName, name, parent } = declaration
      const key = propertyName ?? name
      const member = ts.isIdentifier(key)
        ? checker.getTypeAtLocation(parent).getProperty(key.text)
        : undefined
      return isOwnMember(member) || declarationRests(parent.parent, true)
    }
    if (ts.isParameter(declaration)) {
      const call = declaration.parent.parent
      if (declaration.type !== undefined || !ts.isCallExpression(call)) return true
      return isAccess(call.expression) && rests(call.expression.expression, true)
    }
    if (!ts.isVariableDeclaration(declaration)) return false
    const { type, initializer, parent } = declaration
    const later = values.get(checker.getSymbolAtLocation(declaration.name) as ts.Symbol) ?? []
    if (later.some(value => value === undefined || valueRests(value, inside))) return true
    if (initializer === undefined)
      return (
        type !== undefined || (ts.isForOfStatement(parent.parent) && rests(parent.parent.expression, true))
      )
    // What it was set to later is what the compiler goes by.
    if (later.length > 0 && isEmptyList(initializer)) return type !== undefined
    // An annotation that says what is there anyway claims nothing.
    const isClaim =
      type !== undefined && checker.getTypeFromTypeNode(type) !== checker.getTypeAtLocation(initializer)
    return isClaim || valueRests(initializer, inside)
  }

  const valueRests = (value: ts.Expression, inside: boolean): boolean =>
    (inside && isMade(value)) || rests(value, inside)

  return {
    ofExpression: expression => rests(expression, false),
    ofBinding: element => declarationRests(element.parent.parent, true),
    ofCallee: call => calleeRests(call.expression),
  }
}
