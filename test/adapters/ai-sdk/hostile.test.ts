import { convertToModelMessages, dynamicTool, generateText, jsonSchema, tool } from 'ai'
import { createToolRegistry } from 'toolgate'
import { aiSdkApprovals, aiSdkMiddleware, aiSdkOutput, aiSdkTools, fromAiSdkTools } from 'toolgate/ai-sdk'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { countedTool, gate, settle } from '../../support/tools.js'
import { agentRegistry } from '../tools.js'
import { call, DONE, modelOf, toldTo } from './support.js'

describe('an output that is no result of a pipeline', () => {
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  const outputs: readonly (readonly [unknown, object])[] = [
    ['words', { type: 'text', value: 'words' }],
    [null, { type: 'json', value: null }],
    [undefined, { type: 'json', value: null }],
    [{ a: 1 }, { type: 'json', value: { a: 1 } }],
    [{ isError: true }, { type: 'json', value: { isError: true } }],
    [
      { isError: true, content: [] },
      { type: 'json', value: { isError: true, content: [] } },
    ],
    [
      { isError: false, content: [{ type: 'nonsense' }] },
      { type: 'json', value: { isError: false, content: [{ type: 'nonsense' }] } },
    ],
    [
      { isError: false, content: [null] },
      { type: 'json', value: { isError: false, content: [null] } },
    ],
    [cyclic, { type: 'text', value: expect.stringContaining('no JSON') }],
    [1n, { type: 'text', value: expect.stringContaining('no JSON') }],
  ]

  it.each(outputs)('is shown as it is, number %#', (output, expected) => {
    expect(aiSdkOutput(output)).toEqual(expected)
  })

  it('does not end the conversation of a browser that sent it', async () => {
    const { registry, shot } = agentRegistry()
    const kept = JSON.parse(JSON.stringify(await registry.execute({ callId: 'c', name: 'screenshot' })))
    const part = { type: 'dynamic-tool', toolName: 'screenshot', state: 'output-available', input: {} }
    const parts = ['what', kept].map((output, i) => ({ ...part, toolCallId: String(i), output }))
    const messages = await convertToModelMessages([{ role: 'assistant', parts }] as any, {
      tools: aiSdkTools(registry) as any,
    })
    const [, told] = messages as any[]
    expect(told.content.map((each: any) => each.output.type)).toEqual(['text', 'content'])
    expect(shot.runs()).toBe(1)
  })

  it('is never a file without data', () => {
    const content = [{ type: 'image', mimeType: 'image/png', data: '' }]
    expect(aiSdkOutput({ isError: false, content })).toEqual({
      type: 'content',
      value: [{ type: 'text', text: expect.stringContaining('0 bytes') }],
    })
  })
})

describe('the middleware', () => {
  const tools = ['remove', 'broken'].map(name => ({ type: 'function', name }))

  it.each([
    [['broken'], { type: 'tool', toolName: 'remove' }, { tools: [tools[1]], toolChoice: { type: 'auto' } }],
    [['broken'], { type: 'tool', toolName: 'broken' }, { tools: [tools[1]] }],
    [['broken'], { type: 'required' }, { tools: [tools[1]], toolChoice: { type: 'required' } }],
    [[], { type: 'required' }, { tools: undefined, toolChoice: undefined }],
    [['broken', 'remove'], { type: 'tool', toolName: 'remove' }, { tools }],
  ])('asks for no tool that it leaves out: %j, %j', async (allow, toolChoice, expected) => {
    const scope = agentRegistry().registry.createScope({ id: 'agent' })
    const middleware = aiSdkMiddleware(scope)
    scope.restrict({ allow })
    const params = { prompt: [], tools, toolChoice }
    expect(await middleware.transformParams({ params })).toEqual({
      prompt: [],
      tools,
      toolChoice,
      ...(expected as object),
    })
  })
})

describe('an abort', () => {
  it('ends a call that waits for another one at once, and lets nobody overtake that one', async () => {
    const order: string[] = []
    const body = gate()
    const slow = countedTool('slow', async ({ n }) => {
      order.push(`${n} starts`)
      if (n === 1) await body.promise
      order.push(`${n} ends`)
    })
    const registry = createToolRegistry({ tools: [slow] })
    const { execute } = aiSdkTools(registry).slow as any
    const stop = new AbortController()
    const first = execute({ n: 1 }, { toolCallId: '1' })
    const second = execute({ n: 2 }, { toolCallId: '2', abortSignal: stop.signal })
    const third = execute({ n: 3 }, { toolCallId: '3' })
    const aborted = execute({ n: 4 }, { toolCallId: '4', abortSignal: AbortSignal.abort() })
    await settle()
    stop.abort()
    for (const each of [second, aborted])
      expect(await each).toMatchObject({ isError: true, error: { code: 'ABORTED_BEFORE_DISPATCH' } })
    await settle()
    expect(order).toEqual(['1 starts'])
    body.open()
    await Promise.all([first, third])
    expect(order).toEqual(['1 starts', '1 ends', '3 starts', '3 ends'])
    expect(slow.runs()).toBe(2)
  })

  it('leaves a tool of the AI SDK that still gives values', async () => {
    let left = false
    const stop = new AbortController()
    const first = gate()
    const endless = dynamicTool({
      inputSchema: jsonSchema({ type: 'object' }),
      async *execute() {
        try {
          for (;;) {
            yield 1
            first.open()
            await settle()
          }
        } finally {
          left = true
        }
      },
    })
    const registry = createToolRegistry({ tools: await fromAiSdkTools({ endless } as never) })
    const run = registry.execute({ callId: 'a', name: 'endless', signal: stop.signal })
    await first.promise
    stop.abort()
    expect(await run).toMatchObject({ isError: true, error: { code: 'ABORTED' } })
    expect(left).toBe(true)
  })
})

describe('a tool of the AI SDK that wants an approval', () => {
  const world = async (needsApproval: unknown, { asks = true, answer = 'allowed-once' as string } = {}) => {
    const runs: unknown[] = []
    const requests: unknown[] = []
    const pay = tool({
      description: 'Pays.',
      inputSchema: z.object({ euros: z.number().default(5) }),
      needsApproval: needsApproval as never,
      execute: async ({ euros }) => runs.push(euros),
    })
    const tools = { pay } as never
    const registry = createToolRegistry({
      tools: await fromAiSdkTools(tools),
      stages: asks ? [aiSdkApprovals(tools)] : [],
      approve: async request => {
        requests.push(request.arguments)
        return answer as 'allowed-once'
      },
    })
    return {
      registry,
      runs,
      requests,
      pay: (args: unknown) => registry.execute({ callId: 'a', name: 'pay', arguments: args }),
    }
  }
  const refused = (code: string) => ({ isError: true, error: { code } })

  it('does not run where nothing asks for one', async () => {
    for (const needsApproval of [true, () => false, async () => true]) {
      const { pay, runs } = await world(needsApproval, { asks: false })
      expect(await pay({ euros: 1 })).toMatchObject(refused('APPROVAL_UNAVAILABLE'))
      expect(runs).toEqual([])
    }
  })

  it('runs after it was granted, and not after it was refused', async () => {
    const granted = await world(true)
    expect(await granted.pay({ euros: 1 })).toMatchObject({ isError: false })
    expect([granted.requests, granted.runs]).toEqual([[{ euros: 1 }], [1]])
    const rejected = await world(true, { answer: 'rejected' })
    expect(await rejected.pay({ euros: 1 })).toMatchObject(refused('APPROVAL_REJECTED'))
    expect([rejected.requests, rejected.runs]).toEqual([[{ euros: 1 }], []])
  })

  it('is asked about by its own function, with the input that it would get', async () => {
    const seen: unknown[] = []
    const { pay, runs, requests } = await world(async (input: { euros: number }, options: object) => {
      seen.push(input, Object.keys(options).toSorted())
      return input.euros > 10
    })
    await pay({})
    await pay({ euros: 50 })
    expect(seen.filter((_, i) => i % 2 === 0)).toEqual([{ euros: 5 }, { euros: 50 }])
    expect(seen[1]).toEqual(['context', 'messages', 'toolCallId'])
    expect([requests, runs]).toEqual([[{ euros: 50 }], [5, 50]])
  })

  it('is not asked about where its arguments are wrong, and fails closed where its function breaks', async () => {
    const wrong = await world(true)
    expect(await wrong.pay({ euros: 'x' })).toMatchObject({ isError: true })
    expect(wrong.runs).toEqual([])
    const counted = await world(() => true)
    expect(await counted.pay({ euros: 'x' })).toMatchObject(refused('INVALID_ARGS'))
    expect([counted.requests, counted.runs]).toEqual([[], []])
    const broken = await world(() => {
      throw new Error('no')
    })
    expect(await broken.pay({ euros: 1 })).toMatchObject(refused('STAGE_FAILED'))
    expect(broken.runs).toEqual([])
  })

  it('keeps it on the way back to the AI SDK', async () => {
    const { registry, runs } = await world(true, { answer: 'rejected' })
    const model = modelOf([call('a', 'pay', '{"euros":1}')], DONE)
    await generateText({
      model,
      tools: aiSdkTools(registry),
      prompt: 'Go',
      stopWhen: ({ steps }) => steps.length > 1,
    })
    expect(toldTo(model)).toMatchObject({ pay: { type: 'execution-denied' } })
    expect(runs).toEqual([])
  })
})

it('reads files of the AI SDK that are addresses or texts', async () => {
  const show = dynamicTool({
    inputSchema: jsonSchema({ type: 'object' }),
    execute: async () => 1,
    toModelOutput: () => ({
      type: 'content',
      value: [
        {
          type: 'file',
          mediaType: 'application/pdf',
          filename: 'a.pdf',
          data: { type: 'url', url: 'https://example.com/a.pdf' },
        },
        { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'said' } },
      ] as never,
    }),
  })
  const registry = createToolRegistry({ tools: await fromAiSdkTools({ show } as never) })
  expect(await registry.execute({ callId: 'a', name: 'show' })).toMatchObject({
    content: [
      { type: 'resource_link', uri: 'https://example.com/a.pdf', name: 'a.pdf' },
      { type: 'text', text: 'said' },
    ],
  })
})
