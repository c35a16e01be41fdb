import { leaveToExplanation, MAX_ITEMS, type QuickCheck } from './quick-check.js'
import type { ObjectPlan, ScalarPlan, SchemaPlan } from './schema-plan.js'

// Engines give up on optimizing functions that are longer than some such number of parts.
const MAX_PARTS = 400
const MAX_COMPARED = 16

const { getPrototypeOf, hasOwn, prototype } = Object
const { isInteger } = Number
const { isArray } = Array
const KIT = { getPrototypeOf, hasOwn, prototype, isInteger, isArray, leave: leaveToExplanation }

// `-0` is no JSON, and equal to 0.
const nonNegativeZero = (at: string): string => `(${at} !== 0 || 1 / ${at} > 0)`

const TESTS: { readonly [kind in ScalarPlan['kind']]: (at: string) => string } = {
  string: at => `typeof ${at} === "string"`,
  boolean: at => `typeof ${at} === "boolean"`,
  null: at => `${at} === null`,
  number: at => `typeof ${at} === "number" && ${at} - ${at} === 0 && ${nonNegativeZero(at)}`,
  // What most integers pass is a comparison that engines need no call for.
  integer: at =>
    `typeof ${at} === "number" && ((${at} | 0) === ${at} || isInteger(${at})) && ${nonNegativeZero(at)}`,
}

// The accessor is several times as fast as the call, but some runtimes do without it. An own property of its name is
// another prototype here, and left to the explanation.
function hasAccessor(): boolean {
  try {
    return Reflect.get({}, '__proto__') === prototype
  } catch {
    return false
  }
}

/** Writes a function for a plan. Names and values of the schema stand in it as literals, never as code. */
class Writer {
  readonly functions: string[] = []
  readonly sets: ReadonlySet<unknown>[] = []
  #names = 0
  #parts = 0
  readonly #accessor: boolean = hasAccessor()

  write(plan: SchemaPlan): string {
    return this.#function(plan)
  }

  get isTooLong(): boolean {
    return this.#parts > MAX_PARTS
  }

  #prototypeOf(at: string): string {
    return this.#accessor ? `${at}.__proto__` : `getPrototypeOf(${at})`
  }

  #name(): string {
    return `x${this.#names++}`
  }

  #function(plan: SchemaPlan): string {
    const name = this.#name()
    const value = this.#name()
    this.functions.push(`const ${name} = ${value} => {\n${this.#refusals(plan, value)}return true\n}\n`)
    return name
  }

  /** Statements that return false where the value does not match. */
  #refusals(plan: SchemaPlan, at: string): string {
    if (++this.#parts > MAX_PARTS) return ''
    switch (plan.kind) {
      case 'any':
        return ''
      case 'array': {
        const isNone = `if (!isArray(${at})) return false\n`
        if (plan.items === undefined || plan.items.kind === 'any') return isNone
        const index = this.#name()
        const item = this.#name()
        const refusals = this.#refusals(plan.items, item)
        const isLong = `if (${at}.length > ${MAX_ITEMS}) return false\n`
        return `${isNone}${isLong}for (let ${index} = 0; ${index} < ${at}.length; ${index}++) {\nconst ${item} = ${at}[${index}]\n${refusals}}\n`
      }
      case 'object':
        return this.#object(plan, at)
      case 'oneOf': {
        const matched = this.#name()
        const branches = plan.branches.map(branch => {
          const check = this.#function(branch)
          return `if (${check}(${at}) && ++${matched} > 1) return false\n`
        })
        return `let ${matched} = 0\n${branches.join('')}if (${matched} === 0) return false\n`
      }
      default:
        return `if (!(${this.#scalar(plan, at)})) return false\n`
    }
  }

  #object({ fields, closed }: ObjectPlan, at: string): string {
    const left = this.#name()
    let text = `if (typeof ${at} !== "object" || ${at} === null) return false\n`
    text += `if (${this.#prototypeOf(at)} !== prototype) return !isArray(${at}) && leave()\n`
    if (closed) text += `let ${left} = 0\nfor (const key in ${at}) ${left}++\n`
    for (const { name, required, plan } of fields) {
      const held = this.#name()
      const key = JSON.stringify(name)
      // Where nothing is inherited under this name, what is found is the value's own.
      const isInherited = name in prototype
      const read = isInherited ? `hasOwn(${at}, ${key}) ? ${at}[${key}] : undefined` : `${at}[${key}]`
      text += `const ${held} = ${read}\n`
      text += `if (${held} === undefined) {\n${required ? 'return false\n' : ''}} else {\n`
      if (!isInherited) text += `if (prototype[${key}] !== undefined) return leave()\n`
      text += `${this.#refusals(plan, held)}${closed ? `${left}--\n` : ''}}\n`
    }
    return closed
      ? `${text}if (${left} !== 0) { for (const key in prototype) leave()\nreturn false }\n`
      : text
  }

  #scalar({ kind, allowed }: ScalarPlan, at: string): string {
    if (allowed === undefined) return TESTS[kind](at)
    if (allowed.length > MAX_COMPARED) {
      const count = this.sets.push(new Set(allowed))
      return `sets[${count - 1}].has(${at}) && ${TESTS[kind](at)}`
    }
    const tests = allowed.map(value => `${at} === ${JSON.stringify(value)}`)
    return `(${tests.join(' || ')})${allowed.includes(0) ? ` && ${nonNegativeZero(at)}` : ''}`
  }
}

/**
 * Turns a plan into code of its own, several times as fast as closures; `undefined` for one that is too long. Throws where
 * the runtime makes no functions from text.
 */
export function generateCheck(plan: SchemaPlan): QuickCheck | undefined {
  const writer = new Writer()
  const name = writer.write(plan)
  if (writer.isTooLong) return undefined
  const kit = { ...KIT, sets: writer.sets }
  const text = `"use strict"\n${writer.functions.join('')}return ${name}`
  return new Function(...Object.keys(kit), text)(...Object.values(kit)) as QuickCheck
}
