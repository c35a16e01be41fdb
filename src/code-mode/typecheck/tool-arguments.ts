import ts from 'typescript'
import { isAccess, isConstant, isOwn, memberOf, nodeSpanning, unwrapped, variableAt } from './nodes.js'
import type { OwnWord } from './own-word.js'
import type { CheckedProgram } from './program-service.js'
import { createTypeFit } from './type-fit.js'
import type { Writes } from './writes.js'

/** Too few and too many arguments. */
const COUNT = new Set([2554, 2555])
/** Properties that a closed type has not. */
const EXCESS = new Set([2353, 2561])

/** How many constants are gone through. */
const MAX_STEPS = 100

/** A call of `tools` or `catalog`, and which. */
interface DeclaredCall {
  readonly call: ts.CallExpression
  readonly root: string
  /** What is called, if its name is written there. */
  readonly name: string | undefined
}

/** The call whose arguments a problem is about, if it is one of the globals' and nothing else stands between. */
function declaredCallAround(program: CheckedProgram, node: ts.Node): DeclaredCall | undefined {
  const isCall = ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isFunctionLike(node)
  for (let at: ts.Node | undefined = isCall ? node.parent : node; at !== undefined; at = at.parent) {
    if (ts.isFunctionLike(at) || ts.isNewExpression(at)) return undefined
    if (!ts.isCallExpression(at)) continue
    const callee = declaredCallee(program, at.expression)
    return callee && { ...callee, call: at }
  }
  return undefined
}

/** What a constant without annotation holds. */
function constantAt(program: CheckedProgram, node: ts.Expression): ts.VariableDeclaration | undefined {
  const declaration = ts.isIdentifier(node) ? variableAt(program.checker, node)?.valueDeclaration : undefined
  const isPlain =
    declaration !== undefined && ts.isVariableDeclaration(declaration) && declaration.type === undefined
  return isPlain && isConstant(declaration) ? declaration : undefined
}

/** What is behind the constants that an expression goes through. */
function followed(program: CheckedProgram, expression: ts.Expression): ts.Expression {
  let at = unwrapped(expression)
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const initializer = constantAt(program, at)?.initializer
    if (initializer === undefined) return at
    at = unwrapped(initializer)
  }
  return at
}

/** Which of the globals is called, and by which name: `tools.get`, `const { get } = tools`, `const get = tools.get`. */
function declaredCallee(
  program: CheckedProgram,
  expression: ts.Expression,
): Omit<DeclaredCall, 'call'> | undefined {
  const { checker } = program
  const callee = followed(program, expression)
  if (isAccess(callee)) {
    const root = rootOf(program, callee.expression)
    return root === undefined
      ? undefined
      : { root, name: checker.getSymbolAtLocation(memberOf(callee))?.name }
  }
  const element = ts.isIdentifier(callee) ? variableAt(checker, callee)?.valueDeclaration : undefined
  if (element === undefined || !ts.isBindingElement(element) || !isConstant(element)) return undefined
  const { propertyName, name, initializer, dotDotDotToken, parent } = element
  const key = propertyName ?? name
  const pattern = parent.parent
  if (initializer !== undefined || dotDotDotToken !== undefined || !ts.isIdentifier(key)) return undefined
  if (!ts.isVariableDeclaration(pattern) || pattern.type !== undefined || pattern.initializer === undefined)
    return undefined
  const root = rootOf(program, pattern.initializer)
  return root === undefined ? undefined : { root, name: key.text }
}

function rootOf(program: CheckedProgram, expression: ts.Expression): string | undefined {
  const root = followed(program, expression)
  if (!ts.isIdentifier(root) || (root.text !== 'tools' && root.text !== 'catalog')) return undefined
  return isOwn(variableAt(program.checker, root), program.file) ? undefined : root.text
}

/** The value that a problem is about: problems of a property are told at its name. */
function valueAt(node: ts.Node): ts.Expression | undefined {
  const { parent } = node
  if (ts.isPropertyAssignment(parent) && parent.name === node) return parent.initializer
  return ts.isExpression(node) ? node : undefined
}

/** True for a problem with arguments that the tool refuses for certain. */
export function isRefusedArgument(
  program: CheckedProgram,
  { writes, ownWord, mendedTools }: { writes: Writes; ownWord: OwnWord; mendedTools: ReadonlySet<string> },
  { code, start = 0, length = 0 }: ts.Diagnostic,
): boolean {
  const { checker, file } = program
  const node = nodeSpanning(file, start, length)
  const around = declaredCallAround(program, node)
  if (around === undefined || ownWord.ofCallee(around.call)) return false
  const { call, root, name } = around
  const [first] = call.arguments
  // The catalogue reads one text, and lets all else be.
  const isFirst = first !== undefined && start < first.getEnd()
  if (root === 'catalog' && first !== undefined && !isFirst) return false
  if (COUNT.has(code)) return root === 'tools' || first === undefined
  if (EXCESS.has(code)) return true
  const value = valueAt(node)
  if (value === undefined) return true
  const target = checker.getContextualType(value)
  if (target === undefined) return true
  const symbol = ts.isIdentifier(value) ? variableAt(checker, value) : undefined
  const source =
    symbol !== undefined && ts.isShorthandPropertyAssignment(value.parent)
      ? checker.getTypeOfSymbolAtLocation(symbol, value)
      : checker.getTypeAtLocation(value)
  const isMended = root === 'tools' && (name === undefined ? mendedTools.size > 0 : mendedTools.has(name))
  const fit = createTypeFit(checker, { isMended, retyped: writes.retyped })
  return !ownWord.ofExpression(value) && !fit.value(value, source, target)
}
