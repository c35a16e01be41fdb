import type { JsonObject } from '../../json/json-value.js'
import type { DecodePlan } from './decode-plan.js'
import { copyJson } from './json.js'
import { type LoweredSchema, lowerSchema } from './lower-schema.js'
import type { LoweringNote } from './lowering-context.js'
import { measureSchema, type SchemaSize } from './measure-schema.js'
import {
  PROVIDER_LIMITS,
  type ProviderLimit,
  type ProviderLimits,
  type ProviderName,
} from './provider-limits.js'
import type { WireFinding } from './wire-finding.js'
import type { WireNames } from './wire-names.js'
import type { WireTool } from './wire-tools.js'

/** A tool as it goes out, before it has the provider's own shape. */
export interface WireDefinition {
  readonly tool: WireTool
  readonly wireName: string
  readonly parameters: JsonObject
  readonly strict: boolean
  readonly plan: DecodePlan | undefined
}

/** The tools that go out, and all that there is to say about them. */
export interface WireDefinitions {
  readonly definitions: readonly WireDefinition[]
  readonly findings: readonly WireFinding[]
}

interface Candidate {
  readonly lowered: LoweredSchema
  /** Why it is not strict; undefined where that was not asked for. */
  readonly reasons: readonly LoweringNote[] | undefined
}

const PER_TOOL = ['properties', 'levels', 'characters', 'enumValues', 'enumCharacters'] as const
const PER_REQUEST = ['optional', 'unions'] as const
const WORDS: { readonly [key in keyof SchemaSize]: string } = {
  properties: 'properties',
  levels: 'levels of nesting',
  characters: 'characters of names and values',
  enumValues: 'enum values',
  enumCharacters: 'characters in an enum of more than 250 values',
  optional: 'optional properties',
  unions: 'properties with several types',
}

function overLimits(schema: JsonObject, limits: NonNullable<ProviderLimits['strict']>): LoweringNote[] {
  const size = measureSchema(schema)
  return PER_TOOL.flatMap(key => {
    const limit: ProviderLimit | undefined = limits[key]
    if (limit === undefined || size[key] <= limit.value) return []
    const message = `it has ${size[key]} ${WORDS[key]}; the strict mode takes ${limit.value}`
    return [{ path: '#/parameters', rule: 'size' as const, exact: false, message }]
  })
}

function lowerTool(tool: WireTool, limits: ProviderLimits, wantsStrict: boolean): Candidate {
  if (!wantsStrict || limits.strict === undefined)
    return { lowered: lowerSchema(tool.parameters, limits.dialect), reasons: undefined }
  const strict = lowerSchema(tool.parameters, limits.strict.dialect)
  const reasons = [...strict.notes.filter(note => !note.exact), ...overLimits(strict.schema, limits.strict)]
  if (reasons.length === 0) return { lowered: strict, reasons: [] }
  return { lowered: lowerSchema(tool.parameters, limits.dialect), reasons }
}

/** What one request may hold of strict tools; those that come first have it. */
class StrictBudget {
  readonly #limits: NonNullable<ProviderLimits['strict']>
  readonly #spent = { tools: 0, optional: 0, unions: 0 }

  constructor(limits: NonNullable<ProviderLimits['strict']>) {
    this.#limits = limits
  }

  /** Takes a tool in, or says what there is no room for. */
  refuses(schema: JsonObject): string | undefined {
    const size = measureSchema(schema)
    const { tools } = this.#limits
    if (tools !== undefined && this.#spent.tools >= tools.value) return `${tools.value} strict tools`
    for (const key of PER_REQUEST) {
      const limit = this.#limits[key]
      if (limit !== undefined && this.#spent[key] + size[key] > limit.value)
        return `${limit.value} ${WORDS[key]} of strict tools`
    }
    this.#spent.tools++
    for (const key of PER_REQUEST) this.#spent[key] += size[key]
    return undefined
  }
}

const MAX_REMEMBERED = 20_000

/** Makes definitions for one provider, and remembers them by what they were made of: a tool that has not changed costs nothing again. */
export class DefinitionMaker {
  readonly #limits: ProviderLimits
  readonly #names: WireNames
  readonly #strict: boolean
  readonly #known = new Map<string, { readonly text: string; readonly candidate: Candidate }>()

  constructor(provider: ProviderName, names: WireNames, strict: boolean) {
    this.#limits = PROVIDER_LIMITS[provider]
    this.#names = names
    this.#strict = strict
  }

  make(tools: readonly WireTool[]): WireDefinitions {
    const findings: WireFinding[] = []
    this.#names.add(tools.map(({ name }) => name))
    const { maxTools, strict: limits, title } = this.#limits
    if (maxTools !== undefined && tools.length > maxTools.value)
      findings.push({
        tool: '',
        path: '#',
        rule: 'tool-count',
        outcome: 'refused',
        exact: false,
        message: `${title} takes ${maxTools.value} tools in a request; there are ${tools.length}`,
      })
    const budget = limits && new StrictBudget(limits)
    const definitions = tools.map(tool => this.#define(tool, budget, findings))
    return { definitions, findings }
  }

  #define(tool: WireTool, budget: StrictBudget | undefined, findings: WireFinding[]): WireDefinition {
    const { name } = tool
    const add = (note: LoweringNote, outcome: WireFinding['outcome']): void => {
      findings.push({
        tool: name,
        path: note.path,
        rule: note.rule,
        outcome,
        exact: note.exact,
        message: note.message,
      })
    }
    const wireName = this.#names.toWire(name)
    if (wireName !== name)
      add(
        { path: '#/name', rule: 'name', exact: true, message: `it is called "${wireName}" there` },
        'adapted',
      )
    const candidate = this.#candidate(tool)
    let { lowered } = candidate
    let isStrict = candidate.reasons?.length === 0
    for (const reason of candidate.reasons ?? []) add(reason, 'not-strict')
    const full = isStrict ? budget?.refuses(lowered.schema) : undefined
    if (full !== undefined) {
      isStrict = false
      lowered = lowerSchema(tool.parameters, this.#limits.dialect)
      add(
        { path: '#/parameters', rule: 'strict-budget', exact: false, message: `a request may hold ${full}` },
        'not-strict',
      )
    }
    for (const note of lowered.notes) add(note, 'adapted')
    return { tool, wireName, parameters: copyJson(lowered.schema), strict: isStrict, plan: lowered.plan }
  }

  #candidate(tool: WireTool): Candidate {
    const text = textOf(tool.parameters)
    const known = this.#known.get(tool.name)
    if (known !== undefined && known.text === text && text !== '') return known.candidate
    const candidate = lowerTool(tool, this.#limits, this.#strict)
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear()
    this.#known.set(tool.name, { text, candidate })
    return candidate
  }
}

// Too deep for the engine's own writer: such a schema is lowered each time.
function textOf(parameters: JsonObject): string {
  try {
    return JSON.stringify(parameters)
  } catch {
    return ''
  }
}
