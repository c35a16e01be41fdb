import ts from 'typescript'
import { isAskedFor } from './asking.js'
import { Fallbacks } from './fallback.js'
import { accessedName, isAccess, isPromise, variableAt } from './nodes.js'
import type { OwnWord } from './own-word.js'
import type { CheckedProgram } from './program-service.js'
import type { Writes } from './writes.js'

const { StringLike, NumberLike, BooleanLike, BigIntLike, ESSymbolLike, Null, Undefined, Any } = ts.TypeFlags
const PRIMITIVE = StringLike | NumberLike | BooleanLike | BigIntLike | ESSymbolLike
const NOTHING = Null | Undefined

/** A name that is looked up in a value. */
interface Lookup {
  readonly at: ts.PropertyAccessExpression | ts.ElementAccessExpression | ts.BindingElement
  readonly owner: ts.Type
  readonly name: string | undefined
}

function lookupAt(checker: ts.TypeChecker, node: ts.Node): Lookup | undefined {
  for (let at = node; at.parent !== undefined && !ts.isStatement(at); at = at.parent) {
    if (isAccess(at)) {
      const key = ts.isElementAccessExpression(at)
        ? checker.getTypeAtLocation(at.argumentExpression)
        : undefined
      const known = key?.isStringLiteral() || key?.isNumberLiteral() ? String(key.value) : undefined
      return { at, owner: checker.getTypeAtLocation(at.expression), name: accessedName(at) ?? known }
    }
    if (ts.isBindingElement(at)) {
      const name = at.propertyName ?? at.name
      const named = ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : undefined
      const text = ts.isArrayBindingPattern(at.parent) ? String(at.parent.elements.indexOf(at)) : named
      return { at, owner: checker.getTypeAtLocation(at.parent), name: text }
    }
  }
  return undefined
}

/** Tells of look-ups that the compiler knows nothing of whether the member is missing for certain. */
export class MissingMembers {
  readonly #program: CheckedProgram
  readonly #writes: () => Writes
  readonly #ownWord: () => OwnWord
  readonly #fallbacks: Fallbacks
  readonly #asked = new Map<string, Set<ts.Type>>()

  constructor(program: CheckedProgram, writes: () => Writes, ownWord: () => OwnWord) {
    this.#program = program
    this.#writes = writes
    this.#ownWord = ownWord
    this.#fallbacks = new Fallbacks(program, at => {
      const found = lookupAt(program.checker, at)
      return found !== undefined && this.#lacks(found)
    })
  }

  /** Takes note of a look-up that only asks: the others of that name are behind its answer. */
  note(node: ts.Node): void {
    const { checker } = this.#program
    const found = lookupAt(checker, node)
    if (found?.name === undefined || !isAskedFor(this.#program, found.at)) return
    const owners = this.#asked.get(found.name) ?? new Set()
    this.#asked.set(found.name, owners.add(checker.getNonNullableType(found.owner)))
  }

  /** True if a promise is looked into. */
  isInPromise(node: ts.Node): boolean {
    const found = lookupAt(this.#program.checker, node)
    return found !== undefined && isPromise(found.owner, this.#program.file)
  }

  isMissing(node: ts.Node): boolean {
    const { checker, file } = this.#program
    const found = lookupAt(checker, node)
    if (found?.name === undefined || this.#writes().targets.has(found.at) || !this.#lacks(found)) return false
    const { at, owner, name } = found
    // A promise answers each question wrongly, and `tools` has a function for each name.
    if (isPromise(owner, file) || this.#globalOf(at) === 'tools') return true
    const isAsked = this.#asked.get(name)?.has(checker.getNonNullableType(owner)) === true
    return !isAsked && !this.#writes().spelt.has(name) && !this.#fallbacks.has(at)
  }

  /** True if a value has no such member, whatever is asked of it. */
  #lacks({ at, owner, name }: Lookup): boolean {
    if (name === undefined || name.startsWith('__')) return false
    const { checker } = this.#program
    const branches = branchesOf(owner).filter(({ flags }) => (flags & NOTHING) === 0)
    const isGlobal = this.#globalOf(at) !== undefined
    if (branches.length === 0) return false
    if (!branches.every(type => !mayHave(type, name) && (isGlobal || this.#isClosed(type)))) return false
    const { added } = this.#writes()
    const values = [...(added.get(name) ?? []), ...(added.get(undefined) ?? [])]
    if (values.some(to => branches.some(branch => checker.isTypeAssignableTo(branch, to)))) return false
    const ownWord = this.#ownWord()
    return !(ts.isBindingElement(at) ? ownWord.ofBinding(at) : ownWord.ofExpression(at.expression))
  }

  // `tools`, `catalog` and the other globals beside the language have what they are declared with.
  #globalOf(at: Lookup['at']): string | undefined {
    if (ts.isBindingElement(at) || !ts.isIdentifier(at.expression)) return undefined
    const symbol = variableAt(this.#program.checker, at.expression)
    const declared = symbol?.valueDeclaration
    if (declared === undefined || !ts.isVariableDeclaration(declared)) return undefined
    return declared.getSourceFile() === this.#program.declarations ? symbol?.name : undefined
  }

  // What a program, or the engine, may have given more members than the compiler knows is open: errors, maps, functions.
  #isClosed(type: ts.Type): boolean {
    const { checker, file, declarations } = this.#program
    if (type.isIntersection()) return type.types.every(part => this.#isClosed(part))
    if ((type.flags & PRIMITIVE) !== 0) return true
    if (isPromise(type, file)) return !this.#writes().extended.promise
    if (checker.isArrayType(type) || checker.isTupleType(type)) return !this.#writes().extended.list
    if (type.isClass() || type.getCallSignatures().length > 0) return false
    const declared = type.symbol?.declarations ?? []
    return (
      declared.length > 0 &&
      declared.every(at => at.getSourceFile() === declarations && !ts.isClassDeclaration(at))
    )
  }
}

const branchesOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type])

const mayHave = (type: ts.Type, name: string): boolean =>
  type.getProperty(name) !== undefined ||
  type.getStringIndexType() !== undefined ||
  (type.getNumberIndexType() !== undefined && /^\d+$/.test(name)) ||
  (type.flags & Any) !== 0
