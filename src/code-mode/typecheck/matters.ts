import ts from 'typescript'
import type { CheckedProgram } from './program-service.js'

/** A member that is not there: `property does not exist`, also with a suggestion, and an unknown key in brackets. */
const MEMBER = new Set([2339, 2551, 7053])
/** An argument that does not fit: types, missing and unknown properties, too few and too many arguments. */
const ARGUMENT = new Set([2322, 2345, 2353, 2554, 2555, 2561, 2739, 2740, 2741, 2769])

function nodeAt(file: ts.SourceFile, position: number): ts.Node {
  let found: ts.Node = file
  const visit = (node: ts.Node): void => {
    if (position < node.getStart(file) || position >= node.getEnd()) return
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

/** A member that some branch of a union has may be there when the program runs. */
function mayExist({ checker }: CheckedProgram, node: ts.Node): boolean {
  const access = node.parent
  if (access === undefined || !ts.isPropertyAccessExpression(access)) return false
  const type = checker.getTypeAtLocation(access.expression)
  return type.isUnion() && type.types.some(branch => branch.getProperty(access.name.text) !== undefined)
}

/**
 * True for a problem that makes a program fail or lie: a member that is not there, a tool called with arguments that it
 * refuses, a promise used for what it promises. The program's own annotations are advice and not checked.
 */
export function matters(program: CheckedProgram, diagnostic: ts.Diagnostic): boolean {
  if (diagnostic.start === undefined) return false
  const node = nodeAt(program.file, diagnostic.start)
  if (MEMBER.has(diagnostic.code)) return !mayExist(program, node)
  return ARGUMENT.has(diagnostic.code) && isInToolArguments(node)
}
