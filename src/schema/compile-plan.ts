import type { Violation } from '../errors/violation.js'
import { isRecord } from '../json/is-record.js'
import type { JsonValue } from '../json/json-value.js'
import { type Dialect, readNode } from './read-node.js'
import { ANY, type FieldPlan, type ObjectPlan, type RootPlan, type SchemaPlan } from './schema-plan.js'
import { pathText, type ValuePath } from './value-path.js'
import { written } from './value-text.js'

/** A node to read, and where its plan goes. */
interface Task {
  readonly node: JsonValue
  readonly path: ValuePath | undefined
  readonly depth: number
  readonly isProperty: boolean
  readonly attach: (plan: SchemaPlan) => void
}

class Compiler {
  readonly violations: Violation[] = []
  depth = 1
  readonly #root: string
  readonly #dialect: Dialect
  readonly #tasks: Task[] = []

  constructor(root: string, dialect: Dialect) {
    this.#root = root
    this.#dialect = dialect
  }

  drain(): void {
    for (let next = this.#tasks.pop(); next !== undefined; next = this.#tasks.pop())
      next.attach(this.#read(next))
  }

  fault(path: ValuePath | undefined, problem: string): void {
    const text = pathText(this.#root, path)
    this.violations.push({ path: text, message: `${text} ${problem}` })
  }

  /** Last in, first out: a node's parts are pushed in reverse so that violations come in the order of the schema. */
  later(tasks: readonly Task[]): void {
    for (let i = tasks.length - 1; i >= 0; i--) this.#tasks.push(tasks[i] as Task)
  }

  fields(
    properties: { readonly [name: string]: JsonValue },
    isRequired: (name: string) => boolean,
    parent: ValuePath | undefined,
    depth: number,
  ): FieldPlan[] {
    const fields = Object.keys(properties).map(name => ({
      name,
      required: isRequired(name),
      plan: ANY as SchemaPlan,
    }))
    const tasks = fields.map(
      (field): Task => ({
        node: properties[field.name] as JsonValue,
        path: { parent, key: field.name },
        depth: depth + 1,
        isProperty: true,
        attach: plan => {
          field.plan = plan
        },
      }),
    )
    this.later(tasks)
    return fields
  }

  #read({ node, path, depth, isProperty }: Task): SchemaPlan {
    if (depth > this.depth) this.depth = depth
    const fault = (problem: string, key?: string): void =>
      this.fault(key === undefined ? path : { parent: path, key }, problem)
    const read = readNode(node, { dialect: this.#dialect, isProperty, fault })
    const below = (key: string | number, under: ValuePath | undefined) => ({
      path: { parent: under, key },
      depth: depth + 1,
      isProperty: false,
    })
    switch (read.kind) {
      case 'object': {
        const at = { parent: path, key: 'properties' }
        const fields = this.fields(read.properties, read.isRequired, at, depth)
        return { kind: 'object', closed: read.closed, fields }
      }
      case 'array': {
        const array: { kind: 'array'; items?: SchemaPlan } = { kind: 'array' }
        const attach = (plan: SchemaPlan): void => {
          array.items = plan
        }
        if (read.items !== undefined) this.later([{ node: read.items, ...below('items', path), attach }])
        return array
      }
      case 'oneOf': {
        const under = { parent: path, key: 'oneOf' }
        const branches: SchemaPlan[] = []
        this.later(
          read.branches.map((branch, i) => ({
            node: branch,
            ...below(i, under),
            attach: plan => {
              branches[i] = plan
            },
          })),
        )
        return { kind: 'oneOf', branches }
      }
      default:
        return read
    }
  }
}

/** A plan, which holds only if nothing was wrong with the schema. */
export interface CompiledPlan {
  readonly violations: readonly Violation[]
  readonly root: RootPlan
}

/** Checks a schema, given as lossless JSON, and compiles it. Iterative. */
export function compilePlan(schema: JsonValue, root: string, dialect: Dialect): CompiledPlan {
  const compiler = new Compiler(root, dialect)
  let plan: SchemaPlan = ANY
  const attach = (compiled: SchemaPlan): void => {
    plan = compiled
  }
  compiler.later([{ node: schema, path: undefined, depth: 1, isProperty: false, attach }])
  compiler.drain()
  return { violations: compiler.violations, root: { plan, depth: compiler.depth } }
}

/** Checks and compiles a map of properties: an open object. */
export function compileMapPlan(map: JsonValue, root: string): CompiledPlan {
  const compiler = new Compiler(root, 'spec')
  if (!isRecord(map)) {
    compiler.fault(undefined, `must be a map of properties, got ${written(map)}`)
    return { violations: compiler.violations, root: { plan: ANY, depth: 1 } }
  }
  const isRequired = (name: string): boolean => {
    const property = map[name]
    return isRecord(property) && Object.hasOwn(property, 'required') && property.required === true
  }
  const plan: ObjectPlan = {
    kind: 'object',
    closed: false,
    fields: compiler.fields(map, isRequired, undefined, 1),
  }
  compiler.drain()
  return { violations: compiler.violations, root: { plan, depth: compiler.depth } }
}
