import { createToolRegistry, type RegistryLimits, snapshotJson } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, isDeepFrozen } from '../support/tools.js'
import { nest } from './lossless-json-support.js'

/** Doubles a value n times: 2^n leaves in n objects. */
const doubled = (times: number): unknown => {
  let graph: unknown = { leaf: 1 }
  for (let i = 0; i < times; i++) graph = { left: graph, right: graph }
  return graph
}
const cycle = (): unknown => {
  const loop: { wide: unknown[]; self?: unknown } = { wide: Array(1_000).fill('x') }
  loop.self = [{ loop }]
  return loop
}

/** Hands a value in as arguments, and has a body return it: the codes of both, and what the first body got. */
async function both(value: unknown, limits: RegistryLimits = {}) {
  const seen: unknown[] = []
  const output = { schema: {}, render: () => [] }
  const takes = countedTool('takes', args => (seen.push(args), 'ok'))
  const gives = countedTool('gives', () => value, { output })
  const registry = createToolRegistry({ tools: [takes, gives], limits })
  const taken = await registry.execute({ callId: '1', name: 'takes', arguments: value })
  const given = await registry.execute({ callId: '2', name: 'gives' })
  const codes = [taken, given].map(result => (result.isError ? result.error.code : 'ok'))
  for (const result of [taken, given]) {
    expect(Object.isFrozen(result)).toBe(true)
    if (result.isError) expect(JSON.stringify(result).length).toBeLessThan(5_000)
  }
  expect([takes.runs(), gives.runs()]).toEqual([taken.isError ? 0 : 1, 1])
  return { codes, seen }
}

describe('values of extreme shape', () => {
  it('of a million elements are copied to the last', async () => {
    const { codes, seen } = await both(Array.from({ length: 1_000_000 }, (_, i) => i))
    expect(codes).toEqual(['ok', 'ok'])
    expect([(seen[0] as number[]).length, (seen[0] as number[])[999_999]]).toEqual([1_000_000, 999_999])
  })

  it('of a hundred thousand keys are copied to the last', async () => {
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]))
    const { codes, seen } = await both(wide)
    expect(codes).toEqual(['ok', 'ok'])
    expect(seen[0]).toEqual(wide)
  })

  it('of a hundred thousand levels are refused by their depth', async () => {
    for (const value of [nest(100_000), { a: nest(100_000) }])
      expect((await both(value)).codes).toEqual(['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED'])
  })

  it('of a hundred thousand levels pass where the limit is higher', async () => {
    expect((await both(nest(100_000), { maxDepth: 100_000 })).codes).toEqual(['ok', 'ok'])
    expect((await both(nest(100_001), { maxDepth: 100_000 })).codes).toEqual([
      'LIMIT_EXCEEDED',
      'LIMIT_EXCEEDED',
    ])
  })

  it('of a hundred thousand levels of text are refused just as well', async () => {
    const tool = countedTool('work')
    const registry = createToolRegistry({ tools: [tool] })
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const text = `${open.repeat(100_000)}1${close.repeat(100_000)}`
      const result = await registry.execute({ callId: '1', name: 'work', arguments: text })
      expect(result).toMatchObject({ error: { code: 'LIMIT_EXCEEDED' } })
      const cut = await registry.execute({ callId: '2', name: 'work', arguments: open.repeat(100_000) })
      expect(cut).toMatchObject({ error: { code: 'ARGUMENTS_NOT_JSON' } })
    }
    expect(tool.runs()).toBe(0)
  })

  it('of 2^24 and of 2^1000 leaves are refused by their number, at the same cost', async () => {
    for (const times of [24, 1_000])
      expect((await both(doubled(times))).codes).toEqual(['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED'])
  })

  it('of 2^10 shared leaves are copied for each place', async () => {
    const { codes, seen } = await both(doubled(10))
    expect(codes).toEqual(['ok', 'ok'])
    expect(isDeepFrozen(seen[0])).toBe(true)
    expect(JSON.stringify(seen[0]).split('"leaf":1').length - 1).toBe(1_024)
  })

  it('that are cyclic are refused as such, short or long', async () => {
    expect((await both(cycle())).codes).toEqual(['ARGUMENTS_NOT_JSON', 'INVALID_TOOL_OUTPUT'])
    const long: { next?: unknown } = {}
    let end = long
    for (let i = 0; i < 5_000; i++) {
      const next: { next?: unknown } = {}
      end.next = next
      end = next
    }
    end.next = long
    expect((await both(long)).codes).toEqual(['ARGUMENTS_NOT_JSON', 'INVALID_TOOL_OUTPUT'])
    expect((await both(long, { maxDepth: 1_000_000, maxNodes: 10_000_000 })).codes[0]).toBe(
      'ARGUMENTS_NOT_JSON',
    )
  })
})

describe('texts of any code units', () => {
  const TEXTS = [
    '\ud800',
    '\udc00',
    'a\ud83d',
    '\ude00\ud83d',
    '\0',
    '\u2028\u2029',
    '\ufeff',
    '\u202etxt',
    '😀',
    '"\\\n',
  ]

  it.each(TEXTS)('%j passes through arguments, values, content and keys unchanged', async given => {
    const registry = createToolRegistry({
      tools: [
        countedTool('work', args => ({ [given]: (args as { x: string }).x }), {
          output: { schema: {}, render: (_args, value) => [{ type: 'text', text: (value as never)[given] }] },
        }),
        countedTool(`tool ${given}`),
      ],
    })
    for (const args of [{ x: given }, JSON.stringify({ x: given })]) {
      const result = await registry.execute({ callId: `call ${given}`, name: 'work', arguments: args })
      expect(result).toEqual({
        callId: `call ${given}`,
        name: 'work',
        isError: false,
        value: { [given]: given },
        content: [{ type: 'text', text: given }],
      })
    }
    expect(await registry.execute({ callId: '1', name: `tool ${given}` })).toMatchObject({ isError: false })
  })

  it('count by the bytes of their JSON, escapes included', () => {
    for (const text of TEXTS) {
      const maxBytes = new TextEncoder().encode(JSON.stringify(text)).length
      expect(snapshotJson(text, { limits: { maxBytes } })).toBe(text)
      expect(() => snapshotJson(text, { limits: { maxBytes: maxBytes - 1 } })).toThrow(/limit/)
    }
  })
})

describe('getters', () => {
  it('that change are read once: what is shown, approved and run is one value', async () => {
    let reads = 0
    const given = {
      get path() {
        return ++reads === 1 ? 'harmless' : 'dangerous'
      },
    }
    const seen: unknown[] = []
    const see = (args: unknown) => void seen.push((args as { path: string }).path)
    const registry = createToolRegistry({
      tools: [
        countedTool('work', args => (see(args), 'ok'), {
          presentCall: args => (see(args), undefined),
          isConcurrencySafe: args => (see(args), true),
        }),
      ],
      stages: [
        {
          preExecute: call => (see(call.arguments), { kind: 'ask' }),
          guard: call => see(call.arguments) as undefined,
        },
      ],
      approve: request => (see(request.arguments), 'allowed-once'),
    })
    const [result] = await registry.executeAll([{ callId: '1', name: 'work', arguments: given }])
    expect(result?.isError).toBe(false)
    expect([reads, new Set(seen)]).toEqual([1, new Set(['harmless'])])
    expect(seen.length).toBeGreaterThanOrEqual(7)
  })

  it('of a returned value are read once too', async () => {
    let reads = 0
    const value = {
      get rows() {
        return ++reads === 1 ? [1] : 'none'
      },
    }
    const schema = { type: 'object', properties: { rows: { type: 'array' } }, required: ['rows'] }
    const registry = createToolRegistry({
      tools: [countedTool('work', () => value, { output: { schema, render: () => [] } })],
    })
    expect(await registry.execute({ callId: '1', name: 'work' })).toMatchObject({ value: { rows: [1] } })
    expect(reads).toBe(1)
  })
})

describe('limits', () => {
  it.each([
    ['maxDepth', { maxDepth: 3 }, nest(3), nest(4), ['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED']],
    ['maxNodes', { maxNodes: 5 }, [1, 2, 3, 4], [1, 2, 3, 4, 5], ['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED']],
    ['maxNodes', { maxNodes: 4 }, { a: [1], b: 3 }, { a: [1], b: [3] }, ['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED']],
    ['maxArgumentBytes', { maxArgumentBytes: 10 }, { a: 'bc' }, { a: 'bcd' }, ['LIMIT_EXCEEDED', 'ok']],
    ['maxArgumentBytes', { maxArgumentBytes: 14 }, ['\u0001é"'], ['\u0001éé"'], ['LIMIT_EXCEEDED', 'ok']],
    ['maxResultBytes', { maxResultBytes: 10 }, { a: 'bc' }, { a: 'bcd' }, ['ok', 'LIMIT_EXCEEDED']],
  ] as const)(
    '%s %j: the last value within and the first past',
    async (_name, limits, within, past, codes) => {
      expect((await both(within, limits)).codes).toEqual(['ok', 'ok'])
      expect((await both(past, limits)).codes).toEqual(codes)
    },
  )

  it('of bytes hold for text that is parsed, blanks included', async () => {
    const tool = countedTool('work')
    const registry = createToolRegistry({ tools: [tool], limits: { maxArgumentBytes: 9 } })
    const code = async (text: string) => {
      const result = await registry.execute({ callId: '1', name: 'work', arguments: text })
      return result.isError ? result.error.code : 'ok'
    }
    expect(await code('{"a": 12}')).toBe('ok')
    expect(await code('{"a":  12}')).toBe('LIMIT_EXCEEDED')
    expect(tool.runs()).toBe(1)
  })

  it.each(['maxDepth', 'maxNodes', 'maxArgumentBytes', 'maxResultBytes'])(
    '%s is a positive whole number',
    key => {
      for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5', null])
        expect(() => createToolRegistry({ limits: { [key]: value } })).toThrow(
          expect.objectContaining({ code: 'INVALID_OPTIONS' }),
        )
    },
  )
})
