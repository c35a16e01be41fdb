import ts from 'typescript'
import {
  accessedName,
  forEachNode,
  isAccess,
  isAssignment,
  isConstant,
  isPromise,
  unwrapped,
  variableAt,
} from './nodes.js'
import type { CheckedProgram } from './program-service.js'

/** What the program's classes extend. */
export interface Extended {
  readonly list: boolean
  readonly promise: boolean
}

/** What a program changes about values, of which their types know nothing. */
export interface Writes {
  /** Variables and members that were set to something else than their type says, or to what has no type. */
  readonly retyped: ReadonlySet<ts.Symbol>
  /** By the names of members that values may have got: the types of those values. Under `undefined`: of any name. */
  readonly added: ReadonlyMap<string | undefined, ReadonlySet<ts.Type>>
  /** True where a class extends lists or promises: what has such a type may be of that class, and have more members. */
  readonly extended: Extended
  /** Expressions that are set and not read. */
  readonly targets: ReadonlySet<ts.Node>
  /** What each variable is set to after its declaration: `undefined` where that is no expression. */
  readonly values: ReadonlyMap<ts.Symbol, readonly (ts.Expression | undefined)[]>
  /** How many members the program declares of each name. */
  readonly declared: ReadonlyMap<string, number>
  /** Names that functions and `in` are asked with, as text. */
  readonly spelt: ReadonlySet<string>
}

const isObjectOrReflect = (node: ts.Node): boolean =>
  ts.isIdentifier(node) && (node.text === 'Object' || node.text === 'Reflect')
const CHANGING = /^(assign|set|setPrototypeOf|defineProperty|defineProperties)$/

const FILLING = /^(push|unshift|splice|fill|with|set|add)$/

/** True if a type says all there is of a value that goes into its place. */
function saysAll(checker: ts.TypeChecker, value: ts.Type, type: ts.Type): boolean {
  if ((value.flags & ts.TypeFlags.Any) !== 0 || !checker.isTypeAssignableTo(value, type)) return false
  const isObject = (value.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0
  const known = checker.getPropertiesOfType(checker.getNonNullableType(type))
  return (
    !isObject || checker.getPropertiesOfType(value).every(({ name }) => known.some(one => one.name === name))
  )
}

/** True for a variable without annotation that begins as nothing: the compiler knows at each place what it is. */
export function beginsAsNothing({ type, initializer, parent }: ts.VariableDeclaration): boolean {
  if (type !== undefined || !ts.isVariableDeclarationList(parent)) return false
  if (ts.isForOfStatement(parent.parent) || ts.isForInStatement(parent.parent)) return false
  return initializer === undefined || isNothing(initializer)
}

/** True for `[]`. */
export const isEmptyList = (node: ts.Expression | undefined): boolean =>
  node !== undefined && ts.isArrayLiteralExpression(node) && node.elements.length === 0

/** True for a variable whose type is what it was set to last, wherever the compiler sees that. */
function isFollowed(declaration: ts.Declaration | undefined): declaration is ts.VariableDeclaration {
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return false
  return (
    beginsAsNothing(declaration) || (declaration.type === undefined && isEmptyList(declaration.initializer))
  )
}

const functionAround = (node: ts.Node): ts.Node | undefined => ts.findAncestor(node, ts.isFunctionLike)

const isNothing = (node: ts.Expression): boolean =>
  node.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(node) && node.text === 'undefined')

/** True for an object that the program has just made, and that no tool's value can be. */
function isMadeHere({ checker }: CheckedProgram, target: ts.Expression): boolean {
  const at = unwrapped(target)
  if (ts.isObjectLiteralExpression(at) || ts.isNewExpression(at)) return true
  const declaration = ts.isIdentifier(at) ? variableAt(checker, at)?.valueDeclaration : undefined
  if (declaration !== undefined && ts.isVariableDeclaration(declaration)) {
    const made = declaration.initializer && unwrapped(declaration.initializer)
    return (
      isConstant(declaration) &&
      made !== undefined &&
      (ts.isObjectLiteralExpression(made) || ts.isNewExpression(made))
    )
  }
  // What is carried along from `{}`, as by `reduce`.
  const hasDefault =
    declaration !== undefined && ts.isParameter(declaration) && declaration.initializer !== undefined
  const literal = checker.getTypeAtLocation(at).symbol?.valueDeclaration
  return !hasDefault && literal !== undefined && ts.isObjectLiteralExpression(literal)
}

const { PlusPlusToken, MinusMinusToken } = ts.SyntaxKind

const isStep = (node: ts.Node): node is ts.PrefixUnaryExpression =>
  ts.isPrefixUnaryExpression(node) && (node.operator === PlusPlusToken || node.operator === MinusMinusToken)

export function collectWrites(program: CheckedProgram): Writes {
  const { checker, file } = program
  const retyped = new Set<ts.Symbol>()
  const added = new Map<string | undefined, Set<ts.Type>>()
  const extended = { list: false, promise: false }
  const targets = new Set<ts.Node>()
  const values = new Map<ts.Symbol, (ts.Expression | undefined)[]>()
  const declared = new Map<string, number>()
  const spelt = new Set<string>()

  const add = (to: ts.Type, name: string | undefined): void => {
    added.set(name, (added.get(name) ?? new Set()).add(to))
  }

  const retype = (target: ts.Expression, value: ts.Type | undefined): void => {
    // An element is of the type of its list.
    const holder = ts.isElementAccessExpression(target) && accessedName(target) === undefined
    const name = holder ? unwrapped(target.expression) : target
    const symbol = ts.isIdentifier(name) ? variableAt(checker, name) : checker.getSymbolAtLocation(name)
    if (symbol === undefined) return
    const declaration = symbol.valueDeclaration
    if (!holder && isFollowed(declaration)) {
      // What another function sets it to, the compiler does not see here.
      const isSeen = functionAround(declaration) === functionAround(target)
      if (!isSeen || value === undefined || (value.flags & ts.TypeFlags.Any) !== 0) retyped.add(symbol)
      return
    }
    const type = holder ? checker.getTypeAtLocation(target) : checker.getTypeOfSymbol(symbol)
    if (value === undefined || !saysAll(checker, value, type)) retyped.add(symbol)
  }

  const setTo = (target: ts.Expression, value: ts.Expression | undefined): void => {
    const symbol = ts.isIdentifier(target) ? variableAt(checker, target) : undefined
    if (symbol === undefined) return
    const known = values.get(symbol)
    if (known === undefined) values.set(symbol, [value])
    else known.push(value)
  }

  const write = (given: ts.Expression, value: ts.Type | undefined, plain?: ts.Expression): void => {
    const target = unwrapped(given)
    targets.add(target)
    setTo(target, plain)
    if (ts.isArrayLiteralExpression(target))
      for (const element of target.elements)
        write(ts.isSpreadElement(element) ? element.expression : element, undefined)
    else if (ts.isObjectLiteralExpression(target))
      for (const property of target.properties) {
        if (ts.isPropertyAssignment(property)) write(property.initializer, undefined)
        else if (ts.isShorthandPropertyAssignment(property)) write(property.name, undefined)
        else if (ts.isSpreadAssignment(property)) write(property.expression, undefined)
      }
    else if (ts.isBinaryExpression(target)) write(target.left, undefined)
    else {
      retype(target, value)
      if (isAccess(target)) addTo(target)
    }
  }

  const addTo = (target: ts.PropertyAccessExpression | ts.ElementAccessExpression): void => {
    const name = accessedName(target)
    const isNumbered =
      ts.isElementAccessExpression(target) &&
      (checker.getTypeAtLocation(target.argumentExpression).flags & ts.TypeFlags.NumberLike) !== 0
    if (isNumbered) return
    const isAny = name === undefined || name === '__proto__'
    if (isAny && isMadeHere(program, target.expression)) return
    add(checker.getTypeAtLocation(target.expression), isAny ? undefined : name)
  }

  const visitCall = ({ expression, arguments: args }: ts.CallExpression): void => {
    for (const arg of args) if (ts.isStringLiteralLike(arg)) spelt.add(arg.text)
    const [target] = args
    if (!ts.isPropertyAccessExpression(expression) || target === undefined) return
    if (!isObjectOrReflect(expression.expression) || !CHANGING.test(expression.name.text)) return
    if (!isMadeHere(program, target)) add(checker.getTypeAtLocation(target), undefined)
  }

  // What goes into a list or a map may be more than it was made for.
  const visitFilling = ({ expression, arguments: args }: ts.CallExpression): void => {
    if (!ts.isPropertyAccessExpression(expression) || !FILLING.test(expression.name.text)) return
    const holder = unwrapped(expression.expression)
    const symbol = ts.isIdentifier(holder) ? variableAt(checker, holder) : undefined
    if (symbol === undefined) return
    const isKept = args.every(arg => {
      const type = checker.getContextualType(arg)
      return type !== undefined && saysAll(checker, checker.getTypeAtLocation(arg), type)
    })
    if (!isKept) retyped.add(symbol)
  }

  const visitHeritage = ({ token, types }: ts.HeritageClause): void => {
    const [base] = types
    if (token !== ts.SyntaxKind.ExtendsKeyword || base === undefined) return
    const type = checker.getApparentType(checker.getTypeAtLocation(base.expression))
    const made = type.getConstructSignatures().map(signature => signature.getReturnType())
    extended.list ||= made.some(one => checker.isArrayType(one))
    extended.promise ||= made.some(one => isPromise(one, file))
  }

  // The compiler knows a `var` by the first of its declarations.
  const visitAgain = (declaration: ts.VariableDeclaration | ts.BindingElement): void => {
    const { name } = declaration
    const symbol = ts.isIdentifier(name) ? checker.getSymbolAtLocation(name) : undefined
    if (!ts.isIdentifier(name) || symbol === undefined || symbol.valueDeclaration === declaration) return
    const value = ts.isBindingElement(declaration) ? undefined : declaration.initializer
    write(name, value && checker.getTypeAtLocation(value), value)
  }

  // An object with more members than the declared type that it stands for.
  const visitLiteral = (literal: ts.ObjectLiteralExpression): void => {
    const context = checker.getContextualType(literal)
    const branches = context?.isUnion() ? context.types : [context]
    for (const to of branches) {
      if (to?.symbol === undefined || isOwnOrLibrary(to.symbol, program)) continue
      for (const { name } of literal.properties) {
        if (name === undefined || ts.isComputedPropertyName(name)) continue
        if (to.getProperty(name.text) === undefined) add(to, name.text)
      }
    }
  }

  forEachNode(file, node => {
    if (ts.isClassElement(node) || ts.isObjectLiteralElementLike(node)) {
      const { name } = node
      const key = name !== undefined && ts.isComputedPropertyName(name) ? unwrapped(name.expression) : name
      const isText = key !== undefined && (ts.isPropertyName(key) || ts.isStringLiteralLike(key))
      if (isText && 'text' in key) declared.set(key.text, (declared.get(key.text) ?? 0) + 1)
    }
    if (ts.isBinaryExpression(node)) {
      if (isAssignment(node)) {
        const isPlain = node.operatorToken.kind === ts.SyntaxKind.EqualsToken
        const plain = isPlain ? node.right : undefined
        write(node.left, checker.getTypeAtLocation(plain ?? node), plain)
      } else if (node.operatorToken.kind === ts.SyntaxKind.InKeyword && ts.isStringLiteralLike(node.left))
        spelt.add(node.left.text)
    } else if (
      (ts.isForOfStatement(node) || ts.isForInStatement(node)) &&
      !ts.isVariableDeclarationList(node.initializer)
    )
      write(node.initializer, undefined)
    else if (ts.isVariableDeclaration(node) || ts.isBindingElement(node)) visitAgain(node)
    else if (ts.isHeritageClause(node)) visitHeritage(node)
    else if (ts.isPostfixUnaryExpression(node) || isStep(node)) setTo(unwrapped(node.operand), undefined)
    else if (ts.isDeleteExpression(node)) targets.add(unwrapped(node.expression))
    else if (ts.isCallExpression(node)) {
      visitCall(node)
      visitFilling(node)
    } else if (ts.isObjectLiteralExpression(node)) visitLiteral(node)
  })
  return { retyped, added, extended, targets, values, declared, spelt }
}

const isOwnOrLibrary = (symbol: ts.Symbol, program: CheckedProgram): boolean =>
  !(symbol.declarations ?? []).every(at => at.getSourceFile() === program.declarations)
