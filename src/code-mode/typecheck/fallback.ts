import ts from 'typescript'
import { isAskedFor, usesOf } from './asking.js'
import {
  askedOnce,
  bounded,
  forEachNode,
  isAccess,
  isConstant,
  isOwn,
  isWrapper,
  variableAt,
} from './nodes.js'
import type { CheckedProgram } from './program-service.js'

const { BarBarToken, QuestionQuestionToken, BarBarEqualsToken, QuestionQuestionEqualsToken } = ts.SyntaxKind
const FALLING_BACK: readonly ts.SyntaxKind[] = [
  BarBarToken,
  QuestionQuestionToken,
  BarBarEqualsToken,
  QuestionQuestionEqualsToken,
]
const CHOOSING: readonly ts.SyntaxKind[] = [...FALLING_BACK, ts.SyntaxKind.AmpersandAmpersandToken]

/** How many uses of variables are gone through for one look-up. */
const MAX_USES = 100

/** Tells of look-ups whether they are made only where something else of the same value is not there. */
export class Fallbacks {
  readonly #program: CheckedProgram
  readonly #isMissing: (lookup: ts.Node) => boolean
  readonly #there = new Map<ts.Node, boolean>()
  readonly #inside = new WeakMap<ts.Node, readonly ts.Expression[]>()

  /** `isMissing` tells of a look-up by itself that its member is not there. */
  constructor(program: CheckedProgram, isMissing: (lookup: ts.Node) => boolean) {
    this.#program = program
    this.#isMissing = isMissing
  }

  has(lookup: ts.Node): boolean {
    return this.#isFallback(lookup, new Set())
  }

  #isFallback(lookup: ts.Node, seen: Set<ts.Node>): boolean {
    if (seen.has(lookup) || seen.size > MAX_USES) return true
    seen.add(lookup)
    if (ts.isBindingElement(lookup) && this.#areFallbacks(lookup.name, seen)) return true
    const root = this.#rootOf(ts.isBindingElement(lookup) ? lookup.parent.parent : lookup)
    // As long as nothing is made of it, it may be instead of any other value.
    let isValue = true
    for (let at = lookup; at.parent !== undefined && !ts.isFunctionLike(at); at = at.parent) {
      const { parent } = at
      const before = leftOf(parent, at)
      if (before !== undefined && this.#mayBeThere(before) && (isValue || this.#looksInto(before, root)))
        return true
      if (ts.isBindingElement(parent) && parent.initializer === at && !this.#isMissing(parent)) return true
      if (ts.isConditionalExpression(parent) && parent.condition !== at) {
        const other = parent.whenTrue === at ? parent.whenFalse : parent.whenTrue
        if (this.#tested(parent.condition, [other], root).length > 0) return true
      }
      if (isValue && ts.isVariableDeclaration(parent) && this.#areFallbacks(parent.name, seen)) return true
      if (ts.isStatement(at) && this.#isPassedBy(at, root)) return true
      isValue &&= isWrapper(parent) || ts.isAwaitExpression(parent) || isChoice(parent)
    }
    return false
  }

  /** True for a variable that is nothing but a fallback wherever it is used. */
  #areFallbacks(name: ts.Node, seen: Set<ts.Node>): boolean {
    const symbol = ts.isIdentifier(name) ? variableAt(this.#program.checker, name) : undefined
    const uses = symbol === undefined ? [] : usesOf(this.#program, symbol)
    return uses.length > 0 && uses.every(use => this.#isFallback(use, seen) || isAskedFor(this.#program, use))
  }

  /** True for a statement beside an `if` that asks for something else of the value and uses that. */
  #isPassedBy(at: ts.Statement, root: ts.Symbol | undefined): boolean {
    const { parent } = at
    const isMet = ({ expression }: ts.IfStatement, others: readonly ts.Node[]): boolean =>
      this.#tested(expression, others, root).some(one => isAskedFor(this.#program, one))
    if (ts.isIfStatement(parent)) {
      const other = parent.thenStatement === at ? parent.elseStatement : parent.thenStatement
      return isMet(
        parent,
        other === undefined && leaves(at) ? statementsAround(parent, 1) : other ? [other] : [],
      )
    }
    return statementsAround(at, -1).some(
      one => ts.isIfStatement(one) && leaves(one.thenStatement) && isMet(one, [one.thenStatement]),
    )
  }

  /** What a condition tests of a value and the branch behind it uses. */
  #tested(
    condition: ts.Expression,
    branches: readonly ts.Node[],
    root: ts.Symbol | undefined,
  ): ts.Expression[] {
    const { file, checker } = this.#program
    const used = new Set(branches.flatMap(branch => this.#lookupsIn(branch).map(one => one.getText(file))))
    return this.#lookupsIn(condition).filter(one => {
      if (!used.has(one.getText(file)) || !this.#mayBeThere(one)) return false
      if (ts.isIdentifier(one) && variableAt(checker, one) === root) return false
      return root !== undefined && this.#rootOf(one) === root
    })
  }

  #looksInto(before: ts.Expression, root: ts.Symbol | undefined): boolean {
    return root !== undefined && this.#lookupsIn(before).some(one => this.#rootOf(one) === root)
  }

  #lookupsIn(node: ts.Node): readonly ts.Expression[] {
    const known = this.#inside.get(node)
    if (known !== undefined) return known
    const found: ts.Expression[] = []
    forEachNode(node, inner => {
      if (isAccess(inner) || ts.isIdentifier(inner)) found.push(inner)
    })
    this.#inside.set(node, found)
    return found
  }

  /** The variable that holds the value into which something looks. */
  #rootOf(node: ts.Node): ts.Symbol | undefined {
    let root: ts.Symbol | undefined
    const seen = new Set<ts.Node>()
    for (let at: ts.Node | undefined = node; at !== undefined && !seen.has(at); ) {
      seen.add(at)
      if (isWrapper(at) || ts.isAwaitExpression(at) || isAccess(at)) at = at.expression
      else if (ts.isCallExpression(at) && isAccess(at.expression)) at = at.expression
      else if (ts.isBindingElement(at)) at = at.parent.parent
      else if (ts.isVariableDeclaration(at)) at = at.initializer
      else if (ts.isIdentifier(at)) {
        const symbol = variableAt(this.#program.checker, at)
        if (!isOwn(symbol, this.#program.file)) return root
        root = symbol
        at = symbol?.valueDeclaration
      } else return root
    }
    return root
  }

  #mayBeThere(expression: ts.Expression): boolean {
    return askedOnce(this.#there, expression, () => this.#findThere(expression))
  }

  readonly #findThere = bounded(true, (at: ts.Expression): boolean => {
    const { checker } = this.#program
    if (isWrapper(at) || ts.isAwaitExpression(at)) return this.#mayBeThere(at.expression)
    if (ts.isBinaryExpression(at) && CHOOSING.includes(at.operatorToken.kind)) {
      const sides = [at.left, at.right]
      return FALLING_BACK.includes(at.operatorToken.kind)
        ? sides.some(side => this.#mayBeThere(side))
        : sides.every(side => this.#mayBeThere(side))
    }
    if (isAccess(at)) return !this.#isMissing(at) && this.#mayBeThere(at.expression)
    if (ts.isCallExpression(at)) return this.#mayBeThere(at.expression)
    if (ts.isIdentifier(at)) {
      const declaration = variableAt(checker, at)?.valueDeclaration
      if (declaration !== undefined && ts.isBindingElement(declaration)) return !this.#isMissing(declaration)
      const held =
        declaration !== undefined && ts.isVariableDeclaration(declaration) && isConstant(declaration)
          ? declaration.initializer
          : undefined
      if (held !== undefined) return this.#mayBeThere(held)
    }
    const { flags } = checker.getTypeAtLocation(at)
    return (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void)) === 0
  })
}

function leftOf(parent: ts.Node, at: ts.Node): ts.Expression | undefined {
  if (!ts.isBinaryExpression(parent) || parent.right !== at) return undefined
  return FALLING_BACK.includes(parent.operatorToken.kind) ? parent.left : undefined
}

const isChoice = (node: ts.Node): boolean =>
  ts.isConditionalExpression(node) ||
  (ts.isBinaryExpression(node) && CHOOSING.includes(node.operatorToken.kind))

/** The statements before another in its block, or those behind it. */
function statementsAround(at: ts.Statement, step: 1 | -1): readonly ts.Statement[] {
  const { parent } = at
  if (!ts.isBlock(parent) && !ts.isSourceFile(parent)) return []
  const index = parent.statements.indexOf(at)
  return step < 0 ? parent.statements.slice(0, index) : parent.statements.slice(index + 1)
}

/** True for a statement that ends with leaving what it stands in. */
function leaves(statement: ts.Statement): boolean {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement
  if (last === undefined) return false
  return (
    ts.isReturnStatement(last) ||
    ts.isThrowStatement(last) ||
    ts.isContinueStatement(last) ||
    ts.isBreakStatement(last)
  )
}
