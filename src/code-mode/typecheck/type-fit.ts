import ts from 'typescript'
import { unwrapped } from './nodes.js'

const { Any, Unknown, Never, Instantiable, Enum, Null, Undefined, StringLike, NumberLike } = ts.TypeFlags
const { StringLiteral, NumberLiteral, TemplateLiteral, NonPrimitive } = ts.TypeFlags
const OBJECT = ts.TypeFlags.Object | ts.TypeFlags.Intersection
const SAYS_NOTHING = Any | Unknown | Never | Instantiable | Enum | NonPrimitive

/** Deeper than this types are taken to fit. */
const MAX_DEPTH = 8

/** How arguments are taken. */
export interface FitTerms {
  /** Nulls of optional properties go, and JSON text is read where data is wanted. */
  readonly isMended: boolean
  /** Members that were set to something else than their type says. */
  readonly retyped: ReadonlySet<ts.Symbol>
}

/** Tells whether a value of one type may be of another when the program runs. */
export interface TypeFit {
  value(expression: ts.Expression, source: ts.Type, target: ts.Type): boolean
}

/** True for an object written out in full, which lacks what is not there. */
function isWrittenOut(node: ts.Node | undefined): boolean {
  if (node === undefined || !ts.isExpression(node)) return false
  const at = unwrapped(node)
  return (
    ts.isObjectLiteralExpression(at) &&
    at.properties.every(({ kind, name }) => kind !== ts.SyntaxKind.SpreadAssignment && !isComputed(name))
  )
}

const isComputed = (name: ts.PropertyName | undefined): boolean =>
  name !== undefined && ts.isComputedPropertyName(name)

const isOptional = (symbol: ts.Symbol): boolean => (symbol.flags & ts.SymbolFlags.Optional) !== 0

function isJsonText(type: ts.Type): boolean {
  if (!type.isStringLiteral()) return true
  try {
    const value: unknown = JSON.parse(type.value)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

export function createTypeFit(checker: ts.TypeChecker, { isMended, retyped }: FitTerms): TypeFit {
  const known = [
    new Map<ts.Type, Map<ts.Type, boolean>>(),
    new Map<ts.Type, Map<ts.Type, boolean>>(),
  ] as const

  // Types lead back to themselves by many ways: each two are asked once, and fit as far as they are still being asked.
  const mayFit = (source: ts.Type, target: ts.Type, isFull: boolean, depth: number): boolean => {
    const answers = known[isFull ? 1 : 0].get(source) ?? new Map<ts.Type, boolean>()
    known[isFull ? 1 : 0].set(source, answers)
    const answer = answers.get(target)
    if (answer !== undefined) return answer
    answers.set(target, true)
    const found = findFit(source, target, isFull, depth)
    answers.set(target, found)
    return found
  }

  const findFit = (source: ts.Type, target: ts.Type, isFull: boolean, depth: number): boolean => {
    if (depth > MAX_DEPTH || (source.flags & SAYS_NOTHING) !== 0) return true
    if (checker.isTypeAssignableTo(source, target)) return true
    if (source.isUnion()) return source.types.some(part => mayFit(part, target, isFull, depth))
    if (target.isUnion()) return target.types.some(part => mayFit(source, part, isFull, depth))
    if (target.isIntersection()) return target.types.every(part => mayFit(source, part, isFull, depth))
    if ((source.flags & StringLike) !== 0 && (target.flags & OBJECT) !== 0)
      return isMended && isJsonText(source)
    if (source.isLiteral() && target.isLiteral()) return source.value === target.value
    if ((source.flags & StringLike) !== 0)
      return !source.isStringLiteral() && (target.flags & (StringLiteral | TemplateLiteral)) !== 0
    if ((source.flags & NumberLike) !== 0)
      return !source.isNumberLiteral() && (target.flags & NumberLiteral) !== 0
    if ((source.flags & OBJECT) === 0 || (target.flags & OBJECT) === 0) return false
    return objectMayFit(source, target, isFull, depth + 1)
  }

  const isList = (type: ts.Type): boolean => checker.isArrayType(type) || checker.isTupleType(type)

  const objectMayFit = (source: ts.Type, target: ts.Type, isFull: boolean, depth: number): boolean => {
    if (isList(source) || isList(target)) {
      const [from, to] = [source.getNumberIndexType(), target.getNumberIndexType()]
      if (!isList(source) || !isList(target)) return false
      return from === undefined || to === undefined || mayFit(from, to, false, depth)
    }
    if (source.getCallSignatures().length > 0) return false
    const named = checker.getPropertiesOfType(target)
    return (
      named.every(property => propertyMayFit(source, property, isFull, depth)) &&
      restMayFit(source, target, depth)
    )
  }

  const propertyMayFit = (source: ts.Type, wanted: ts.Symbol, isFull: boolean, depth: number): boolean => {
    const given = source.getProperty(wanted.name)
    if (given === undefined) return !isFull || isOptional(wanted)
    return memberMayFit(given, checker.getTypeOfSymbol(wanted), isOptional(wanted), isFull, depth)
  }

  const memberMayFit = (
    given: ts.Symbol,
    target: ts.Type,
    mayBeAbsent: boolean,
    isFull: boolean,
    depth: number,
  ): boolean => {
    if (retyped.has(given)) return true
    const type = checker.getTypeOfSymbol(given)
    if (mayBeAbsent && isAbsent(type)) return true
    const declared = given.valueDeclaration
    const initializer = declared && ts.isPropertyAssignment(declared) ? declared.initializer : undefined
    return mayFit(type, target, isFull && isWrittenOut(initializer), depth)
  }

  const isAbsent = (type: ts.Type): boolean => (type.flags & (isMended ? Undefined | Null : Undefined)) !== 0

  /** What the names do not say, an index signature does. */
  const restMayFit = (source: ts.Type, target: ts.Type, depth: number): boolean => {
    const rest = target.getStringIndexType()
    if (rest === undefined) return true
    return checker
      .getPropertiesOfType(source)
      .filter(({ name }) => target.getProperty(name) === undefined)
      .every(given => memberMayFit(given, rest, true, false, depth))
  }

  return {
    value(expression, source, target) {
      // Where arguments may be left out, null says that.
      if ((source.flags & Null) !== 0) {
        const isWhole = ts.isCallExpression(expression.parent)
        const { parent } = expression
        const property =
          ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent) ? parent : undefined
        const isLeftOut = isWhole || (isMended && property !== undefined && isOptionalProperty(property))
        if (isLeftOut && checker.isTypeAssignableTo(checker.getUndefinedType(), target)) return true
      }
      return mayFit(source, target, isWrittenOut(expression), 0)
    },
  }

  function isOptionalProperty(property: ts.PropertyAssignment | ts.ShorthandPropertyAssignment): boolean {
    const type = checker.getContextualType(property.parent)
    const { name } = property
    if (type === undefined || ts.isComputedPropertyName(name)) return false
    const branches = type.isUnion() ? type.types : [type]
    return branches.some(branch => {
      const wanted = branch.getProperty(name.text)
      return wanted !== undefined && isOptional(wanted)
    })
  }
}
