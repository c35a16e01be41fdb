import { type Content, GoogleGenAI } from '@google/genai'
import { createToolRegistry } from 'toolgate'
import { collectGoogleStream, type GoogleOptions, googleContent } from 'toolgate/google'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../../support/tools.js'
import { loopback } from '../loopback.js'
import { agentRegistry, PIXEL } from '../tools.js'

const call = (name: string, args: unknown, rest: object = {}): object => ({
  functionCall: { name, args, ...rest },
})
const response = (parts: object[], finishReason = 'STOP'): object => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, finishReason }],
})

async function client(script: readonly object[]) {
  const server = await loopback(script)
  const google = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: server.origin } })
  return { server, google }
}

const picture = { inlineData: { mimeType: 'image/png', data: PIXEL } }

describe("Google's generateContent, through its own SDK", () => {
  it.each<[string, GoogleOptions['media'], object[]]>([
    ['beside', 'beside', [{ text: 'The image from a call of screenshot:' }, picture]],
    ['inside', 'inside', []],
  ])(
    'answers a call, a failure, an image and a denial, media %s the results',
    async (_where, media, after) => {
      const { registry, read, broken, shot, remove } = agentRegistry()
      const wire = googleContent(registry, { media })
      const signed = { ...call(wire.wireName('files.read'), { path: 'a.md' }), thoughtSignature: 'c2ln' }
      const { server, google } = await client([
        response([
          { text: 'hm', thought: true },
          signed,
          call('broken', {}),
          call('screenshot', undefined, { id: 'c' }),
          call('remove', {}),
        ]),
        response([{ text: 'Done.' }]),
      ])
      const contents: Content[] = [{ role: 'user', parts: [{ text: 'Go on' }] }]
      const request = () =>
        google.models.generateContent({ model: 'fake', contents, config: { tools: wire.tools() } })
      const first = await request()
      const turn = wire.turn(first)
      contents.push(...turn.reply, ...turn.results(await registry.executeAll(turn.calls)))
      expect(wire.turn(await request()).calls).toEqual([])

      expect([read, broken, shot, remove].map(tool => tool.runs())).toEqual([1, 1, 1, 0])
      const sent = server.requests[1]?.body.contents
      expect(sent[1].parts[1]).toEqual(signed)
      const inside = media === 'inside'
      const where = inside ? 'in the parts of this' : 'after the results'
      expect(sent[2]).toEqual({
        role: 'user',
        parts: [
          { functionResponse: { name: wire.wireName('files.read'), response: { output: 'text of a.md' } } },
          {
            functionResponse: {
              name: 'broken',
              response: { error: expect.stringContaining('disk is gone') },
            },
          },
          {
            functionResponse: {
              id: 'c',
              name: 'screenshot',
              response: { output: `the window\n[image: image/png, ${where}]` },
              ...(inside && { parts: [picture] }),
            },
          },
          {
            functionResponse: {
              name: 'remove',
              response: { error: expect.stringContaining('nothing is removed') },
            },
          },
          ...after,
        ],
      })
      expect(server.requests[0]?.body.tools).toEqual([
        {
          functionDeclarations: [
            { name: 'broken', description: 'The tool broken.' },
            {
              name: 'files.read',
              description: 'The tool files.read.',
              parameters: {
                type: 'OBJECT',
                properties: { path: { type: 'STRING' }, encoding: { type: 'STRING' } },
                required: ['path'],
                propertyOrdering: ['path', 'encoding'],
              },
            },
            { name: 'remove', description: 'The tool remove.' },
            { name: 'screenshot', description: 'The tool screenshot.' },
          ],
        },
      ])
    },
  )

  it('sends JSON Schema in its own field where that is wanted', async () => {
    const { registry } = agentRegistry()
    const wire = googleContent(registry, { schema: 'json-schema' })
    const { server, google } = await client([response([{ text: 'Done.' }])])
    await google.models.generateContent({ model: 'fake', contents: 'Go', config: { tools: wire.tools() } })
    const [{ functionDeclarations }] = server.requests[0]!.body.tools
    expect(functionDeclarations[1].parametersJsonSchema).toEqual({
      type: 'object',
      properties: { path: { type: 'string' }, encoding: { type: 'string' } },
      required: ['path'],
    })
  })

  it('reads what a stream adds up to', async () => {
    const { registry, read } = agentRegistry()
    const wire = googleContent(registry)
    const chunk = (parts: object[], finishReason?: string): object => ({
      candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
    })
    const signed = { ...call(wire.wireName('files.read'), { path: 'b.md' }), thoughtSignature: 'c2ln' }
    const { google } = await client([
      {
        events: [
          chunk([{ text: 'Let ' }]),
          chunk([{ text: 'me see.' }]),
          chunk([signed]),
          { ...chunk([{ text: '' }], 'STOP'), usageMetadata: { totalTokenCount: 9 } },
        ],
      },
    ])
    const whole = await collectGoogleStream(
      await google.models.generateContentStream({ model: 'fake', contents: 'Go' }),
    )
    expect(whole.usageMetadata).toEqual({ totalTokenCount: 9 })
    const turn = wire.turn(whole)
    expect(turn.reply).toEqual([{ role: 'model', parts: [{ text: 'Let me see.' }, signed, { text: '' }] }])
    expect(turn.results(await registry.executeAll(turn.calls))).toMatchObject([
      { parts: [{ functionResponse: { response: { output: 'text of b.md' } } }] },
    ])
    expect(read.runs()).toBe(1)
  })
})

describe('a response that is not as it should be', () => {
  const echo = countedTool('echo', args => JSON.stringify(args))
  const registry = createToolRegistry({ tools: [echo] })
  const wire = googleContent(registry)
  const turnOf = (answer: object) => wire.turn(answer as Parameters<typeof wire.turn>[0])

  it.each([
    ['by the end of the tokens', response([call('echo', { n: 1 }), call('echo', { n: 2 })], 'MAX_TOKENS')],
    [
      'as one that may not be said',
      response([call('echo', { n: 1 }), call('echo', { n: 2 })], 'PROHIBITED_CONTENT'),
    ],
    [
      'as one that is to go on',
      response([call('echo', { n: 1 }), call('echo', { n: 2 }, { willContinue: true })]),
    ],
  ])('does not run a call that was cut off, %s', async (_how, answer) => {
    const before = echo.runs()
    const turn = turnOf(answer)
    expect(turn.calls.length).toBe(1)
    expect(turn.results(await registry.executeAll(turn.calls))).toMatchObject([
      {
        parts: [
          { functionResponse: { response: { output: '{"n":1}' } } },
          { functionResponse: { response: { error: expect.stringContaining('did not run') } } },
        ],
      },
    ])
    expect(echo.runs()).toBe(before + 1)
  })

  it('answers equal calls without ids one by one', async () => {
    const turn = turnOf(response([call('echo', { n: 1 }), call('echo', { n: 1 })]))
    expect(new Set(turn.calls.map(({ callId }) => callId)).size).toBe(2)
    const [content] = turn.results(await registry.executeAll(turn.calls)) as any[]
    expect(content.parts).toEqual(
      Array(2).fill({ functionResponse: { name: 'echo', response: { output: '{"n":1}' } } }),
    )
  })

  it.each([{}, { candidates: [] }, { candidates: [{}] }, { candidates: [{ content: {} }] }, response([])])(
    'reads no calls where there are none: %j',
    answer => {
      const turn = turnOf(answer)
      expect([turn.reply, turn.calls, turn.results([])]).toEqual([[], [], []])
    },
  )

  it('tells of a call without a name', async () => {
    const turn = turnOf(response([{ functionCall: {} }]))
    expect(turn.results(await registry.executeAll(turn.calls))).toMatchObject([
      {
        parts: [
          { functionResponse: { name: 'unknown', response: { error: expect.stringContaining('name') } } },
        ],
      },
    ])
  })

  it('says what was said beside the results', async () => {
    const late = countedTool('late', (_args, context) => {
      context.deferContext({ source: 'clock', content: [{ type: 'text', text: 'It is late.' }] })
      return 'ok'
    })
    const other = createToolRegistry({ tools: [late] })
    const turn = googleContent(other).turn(response([call('late', {})]) as never)
    const [content] = turn.results(await other.executeAll(turn.calls)) as any[]
    expect(content.parts[1]).toEqual({ text: '[clock] It is late.' })
  })

  it.each([{ schema: 'xml' }, { media: 'above' }, { strict: true }, null])(
    'refuses the options %j',
    options => {
      expect(() => googleContent(registry, options as never)).toThrow('googleContent')
    },
  )

  it('has no tool where there are no functions', () => {
    expect(googleContent([]).tools()).toEqual([])
  })
})
