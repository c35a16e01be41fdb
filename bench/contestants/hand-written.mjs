// Schemas, arguments that match them, and the same checks written by hand: each lists what is wrong, path by path.
import { z } from 'zod'

const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for what JSON carries without loss, hidden properties, class instances, holes and -0 refused. */
function isLossless(value) {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean'
  if (value === null) return true
  const names = Object.getOwnPropertyNames(value)
  if (Object.getOwnPropertySymbols(value).length > 0) return false
  if (Array.isArray(value)) {
    if (Object.getPrototypeOf(value) !== Array.prototype || names.length !== value.length + 1) return false
    for (let i = 0; i < value.length; i++) if (!Object.hasOwn(value, i) || !isLossless(value[i])) return false
    return true
  }
  const prototype = Object.getPrototypeOf(value)
  if ((prototype !== Object.prototype && prototype !== null) || Object.keys(value).length !== names.length)
    return false
  for (const name of names) if (!isLossless(value[name])) return false
  return true
}

const checkAnything = check => args => {
  try {
    const violations = check(args)
    if (violations.length === 0 && !isLossless(args)) violations.push('arguments must be lossless JSON')
    return violations
  } catch (error) {
    return [`arguments could not be read: ${error}`]
  }
}

const text = { type: 'string', required: true }
const whole = { type: 'integer', required: true }

const flat = {
  name: 'two scalars',
  spec: { path: text, limit: whole },
  zod: z.object({ path: z.string(), limit: z.int() }),
  make: i => ({ path: `src/${i}.ts`, limit: i }),
  check(args) {
    if (!isObject(args)) return ['arguments must be an object']
    const violations = []
    if (args.path === undefined) violations.push('missing required property path')
    if (args.limit === undefined) violations.push('missing required property limit')
    if (args.path !== undefined && typeof args.path !== 'string') violations.push('path must be a string')
    if (args.limit !== undefined && !Number.isInteger(args.limit)) violations.push('limit must be an integer')
    return violations
  },
}

const LEVELS = ['debug', 'info', 'warning', 'error']
const UNITS = [1, 2, 5, 10, 20, 50]

const enums = {
  name: 'enums',
  spec: {
    level: { type: 'string', enum: LEVELS, required: true },
    unit: { type: 'integer', enum: UNITS, required: true },
    kind: { type: 'string', const: 'log', required: true },
  },
  zod: z.object({ level: z.enum(LEVELS), unit: z.literal(UNITS), kind: z.literal('log') }),
  make: i => ({ level: LEVELS[i % 4], unit: UNITS[i % 6], kind: 'log' }),
  check(args) {
    if (!isObject(args)) return ['arguments must be an object']
    const violations = []
    if (!LEVELS.includes(args.level)) violations.push(`level must be one of ${LEVELS}`)
    if (!UNITS.includes(args.unit)) violations.push(`unit must be one of ${UNITS}`)
    if (args.kind !== 'log') violations.push('kind must be "log"')
    return violations
  },
}

const STATES = ['pending', 'in_progress', 'completed']

const objects = {
  name: 'an array of 20 objects',
  spec: {
    todos: {
      type: 'array',
      required: true,
      items: {
        type: 'object',
        additionalProperties: false,
        properties: {
          id: whole,
          text,
          state: { type: 'string', enum: STATES, required: true },
          tags: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
  zod: z.object({
    todos: z.array(
      z.strictObject({
        id: z.int(),
        text: z.string(),
        state: z.enum(STATES),
        tags: z.array(z.string()).optional(),
      }),
    ),
  }),
  make: i => ({
    todos: Array.from({ length: 20 }, (_, at) => ({
      id: i + at,
      text: `Do ${i}`,
      state: STATES[at % 3],
      tags: ['a', `b${i}`],
    })),
  }),
  check(args) {
    if (!isObject(args)) return ['arguments must be an object']
    const { todos } = args
    if (todos === undefined) return ['missing required property todos']
    if (!Array.isArray(todos)) return ['todos must be an array']
    const violations = []
    for (let i = 0; i < todos.length; i++) {
      const todo = todos[i]
      if (!isObject(todo)) {
        violations.push(`todos[${i}] must be an object`)
        continue
      }
      const { id, text, state, tags } = todo
      if (!Number.isInteger(id)) violations.push(`todos[${i}].id must be an integer`)
      if (typeof text !== 'string') violations.push(`todos[${i}].text must be a string`)
      if (!STATES.includes(state)) violations.push(`todos[${i}].state must be one of ${STATES}`)
      if (tags !== undefined) {
        if (!Array.isArray(tags)) violations.push(`todos[${i}].tags must be an array`)
        else
          for (let k = 0; k < tags.length; k++)
            if (typeof tags[k] !== 'string') violations.push(`todos[${i}].tags[${k}] must be a string`)
      }
      for (const key of Object.keys(todo))
        if (key !== 'id' && key !== 'text' && key !== 'state' && key !== 'tags')
          violations.push(`todos[${i}].${key} is not a declared property`)
    }
    return violations
  },
}

const branch = (kind, properties) => ({
  type: 'object',
  additionalProperties: false,
  properties: { kind: { type: 'string', const: kind, required: true }, ...properties },
})
const KEYS = { move: ['kind', 'x', 'y'], say: ['kind', 'text'], wait: ['kind', 'ms'] }
const ACTIONS = [
  { kind: 'move', x: 1.5, y: 2 },
  { kind: 'say', text: 'hello' },
  { kind: 'wait', ms: 5 },
]

const union = {
  name: 'a oneOf of three objects',
  spec: {
    action: {
      required: true,
      oneOf: [
        branch('move', { x: { type: 'number', required: true }, y: { type: 'number', required: true } }),
        branch('say', { text }),
        branch('wait', { ms: whole }),
      ],
    },
  },
  zod: z.object({
    action: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('move'), x: z.number(), y: z.number() }),
      z.strictObject({ kind: z.literal('say'), text: z.string() }),
      z.strictObject({ kind: z.literal('wait'), ms: z.int() }),
    ]),
  }),
  make: i => ({ action: { ...ACTIONS[i % 3] } }),
  check(args) {
    if (!isObject(args)) return ['arguments must be an object']
    const { action } = args
    if (action === undefined) return ['missing required property action']
    if (!isObject(action)) return ['action must be an object']
    const violations = []
    switch (action.kind) {
      case 'move':
        if (typeof action.x !== 'number' || !Number.isFinite(action.x))
          violations.push('action.x must be a number')
        if (typeof action.y !== 'number' || !Number.isFinite(action.y))
          violations.push('action.y must be a number')
        break
      case 'say':
        if (typeof action.text !== 'string') violations.push('action.text must be a string')
        break
      case 'wait':
        if (!Number.isInteger(action.ms)) violations.push('action.ms must be an integer')
        break
      default:
        return ['action.kind must be "move", "say" or "wait"']
    }
    for (const key of Object.keys(action))
      if (!KEYS[action.kind].includes(key)) violations.push(`action.${key} is not a declared property`)
    return violations
  },
}

/** Each with `spec`, `zod`, `make(i)`, `check` for JSON and `checkAnything` for any value. */
export const CASES = [flat, enums, objects, union].map(each => ({
  ...each,
  checkAnything: checkAnything(each.check),
}))
