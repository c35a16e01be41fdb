import ts from 'typescript'
import type { CheckedProgram } from './program-service.js'

/** A member that is not there: `property does not exist`, also with a suggestion, and an unknown key in brackets. */
const MEMBER = new Set([2339, 2551, 7053])
/** An argument that does not fit: types, missing and unknown properties, too few and too many arguments. */
const ARGUMENT = new Set([2322, 2345, 2353, 2554, 2555, 2559, 2560, 2561, 2739, 2740, 2741, 2769])
/** A promise where its value is needed: arithmetic, comparison, iteration, a condition. */
const ALWAYS_DEFINED = 2801
const PROMISE = new Set([2362, 2363, 2365, 2367, 2461, 2488, 2504, 2548, 2549, ALWAYS_DEFINED])

const { StringLike, NumberLike, BooleanLike, BigIntLike, ESSymbolLike, Null, Undefined } = ts.TypeFlags
const PRIMITIVE = StringLike | NumberLike | BooleanLike | BigIntLike | ESSymbolLike | Null | Undefined

function nodeAt(file: ts.SourceFile, position: number, end = position + 1): ts.Node {
  let found: ts.Node = file
  const visit = (node: ts.Node): void => {
    if (position < node.getStart(file) || end > node.getEnd()) return
    found = node
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(file, visit)
  return found
}

function rootName(expression: ts.Expression): string | undefined {
  let at = expression
  while (ts.isPropertyAccessExpression(at) || ts.isElementAccessExpression(at)) at = at.expression
  return ts.isIdentifier(at) ? at.text : undefined
}

/** True inside the arguments of a call of a tool or of the catalogue. */
function isInToolArguments(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent)
    if (ts.isCallExpression(at)) {
      const root = rootName(at.expression)
      if (root === 'tools' || root === 'catalog') return true
    }
  return false
}

const isPromise = (type: ts.Type): boolean => type.symbol?.name === 'Promise'

/** Types that the program made up itself may have grown since: the language lets them. */
function isGiven(type: ts.Type, file: ts.SourceFile): boolean {
  if ((type.flags & PRIMITIVE) !== 0) return true
  const declared = type.symbol?.declarations ?? []
  return declared.length > 0 && declared.every(declaration => declaration.getSourceFile() !== file)
}

/** What a name is looked up in, and how. */
function lookup(
  node: ts.Node,
  { checker }: CheckedProgram,
): { readonly owner: ts.Type; readonly name: string | undefined; readonly access: ts.Node } | undefined {
  for (let at = node; at.parent !== undefined && !ts.isStatement(at); at = at.parent) {
    if (ts.isPropertyAccessExpression(at))
      return { owner: checker.getTypeAtLocation(at.expression), name: at.name.text, access: at }
    if (ts.isElementAccessExpression(at)) {
      const key = checker.getTypeAtLocation(at.argumentExpression)
      const name = key.isStringLiteral() || key.isNumberLiteral() ? String(key.value) : undefined
      return { owner: checker.getTypeAtLocation(at.expression), name, access: at }
    }
    if (ts.isBindingElement(at)) {
      const name = at.propertyName ?? at.name
      const owner = checker.getTypeAtLocation(at.parent)
      return { owner, name: ts.isIdentifier(name) ? name.text : undefined, access: at }
    }
  }
  return undefined
}

function isWritten(access: ts.Node): boolean {
  const { parent } = access
  if (!ts.isBinaryExpression(parent) || parent.left !== access) return false
  const { kind } = parent.operatorToken
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

/** True if a name is looked up that cannot be there when the program runs. */
function isMissing(program: CheckedProgram, node: ts.Node): boolean {
  const found = lookup(node, program)
  if (found?.name === undefined || isWritten(found.access)) return false
  const { owner, name } = found
  const branches = owner.isUnion() ? owner.types : [owner]
  const mayHave = (type: ts.Type): boolean =>
    type.getProperty(name) !== undefined ||
    type.getStringIndexType() !== undefined ||
    (type.flags & ts.TypeFlags.Any) !== 0
  return branches.every(type => !mayHave(type) && isGiven(type, program.file))
}

function spansPromise({ file, checker }: CheckedProgram, start: number, length: number): boolean {
  const node = nodeAt(file, start, start + length)
  const parts = ts.isBinaryExpression(node) ? [node.left, node.right] : [node]
  return parts.some(part => isPromise(checker.getTypeAtLocation(part)))
}

/** True where a promise stands in the place of its value. */
export function lacksAwait(program: CheckedProgram, { code, start, length }: ts.Diagnostic): boolean {
  if (start === undefined || length === undefined) return false
  if (PROMISE.has(code)) return spansPromise(program, start, length)
  if (!MEMBER.has(code)) return false
  const owner = lookup(nodeAt(program.file, start), program)?.owner
  return owner !== undefined && isPromise(owner)
}

/** Promises that are negated, which the compiler lets pass: `!` of one is always false. */
export function negatedPromises({ file, checker }: CheckedProgram): ts.Diagnostic[] {
  const found: ts.Diagnostic[] = []
  const visit = (node: ts.Node): void => {
    if (
      ts.isPrefixUnaryExpression(node) &&
      node.operator === ts.SyntaxKind.ExclamationToken &&
      isPromise(checker.getTypeAtLocation(node.operand))
    ) {
      const start = node.operand.getStart(file)
      const length = node.operand.getEnd() - start
      const messageText = 'This condition is always false since the promise is always defined.'
      found.push({
        file,
        start,
        length,
        messageText,
        code: ALWAYS_DEFINED,
        category: ts.DiagnosticCategory.Error,
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/**
 * True for a problem that makes a program fail or lie: a member that is not there, a tool called with arguments that it
 * refuses, a promise used for what it promises. The program's own annotations and objects are its own business.
 */
export function matters(program: CheckedProgram, diagnostic: ts.Diagnostic): boolean {
  const { code, start } = diagnostic
  if (start === undefined) return false
  if (lacksAwait(program, diagnostic)) return true
  const node = nodeAt(program.file, start)
  if (MEMBER.has(code)) return isMissing(program, node)
  return ARGUMENT.has(code) && isInToolArguments(node)
}
