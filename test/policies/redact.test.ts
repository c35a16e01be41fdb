import {
  type ContentBlock,
  createToolRegistry,
  type PostToolDecision,
  type RedactOptions,
  redact,
  resultBudget,
  type Stages,
  type SubcallEndEvent,
  ToolgateError,
  type ToolResultView,
} from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool, isDeepFrozen } from '../support/tools.js'
import { GITHUB, runRedacted, text, textsOf } from './redact-support.js'

const MASK = '[redacted github-token]'
const contentTool = (content: unknown) => countedTool('tool', () => content)
const valueTool = (value: unknown, schema: object = {}) =>
  countedTool('tool', () => value, {
    output: {
      schema,
      render: (_args, given) => [text(JSON.stringify(given))],
      presentationMeta: (_args, given) => ({ seen: JSON.stringify(given) }),
    },
  })
const post = (decision: PostToolDecision): Stages => ({ postExecute: () => decision })

describe('redact', () => {
  it('leaves a result without secrets as it is, without a word', async () => {
    const result = await runRedacted(contentTool({ content: [text('nothing')], meta: { rows: 3 } }))
    expect(result).toMatchObject({ value: 'nothing', meta: { rows: 3 } })
    expect(result.meta).toEqual({ rows: 3 })
  })

  it('hides secrets in content, value and meta of a content tool, and says how many', async () => {
    const tool = countedTool('tool', (_args, context) => {
      context.deferContext({ source: 'tool', content: [text(`see ${GITHUB}`)], meta: { key: GITHUB } })
      context.concludeTurn()
      return { content: [text(`a ${GITHUB}`), text('b')], meta: { rows: 3, from: GITHUB } }
    })
    const result = await runRedacted(tool)
    expect(result).toMatchObject({
      isError: false,
      value: `a ${MASK}\nb`,
      content: [text(`a ${MASK}`), text('b')],
      meta: { rows: 3, from: MASK, redacted: { count: 4 } },
      additionalContexts: [{ source: 'tool', content: [text(`see ${MASK}`)], meta: { key: MASK } }],
      concludesTurn: true,
    })
    expect(JSON.stringify(result)).not.toContain(GITHUB)
    expect(isDeepFrozen(result)).toBe(true)
  })

  it('hides secrets in values, which the tool then renders, keys among them', async () => {
    const value = { id: 1, [GITHUB]: true, list: [GITHUB, { password: 'hunter2' }], [`${GITHUB}`]: 2 }
    const result = await runRedacted(valueTool(value))
    const hidden = { id: 1, [MASK]: 2, list: [MASK, { password: '[redacted password]' }] }
    expect(!result.isError && result.value).toEqual(hidden)
    expect(textsOf(result.content)).toEqual([JSON.stringify(hidden)])
    expect(result.meta).toEqual({ seen: JSON.stringify(hidden), redacted: { count: 3 } })
  })

  it('keeps keys apart that are hidden alike, in their order', async () => {
    const other = GITHUB.replace('ghp', 'gho')
    const result = await runRedacted(valueTool({ [GITHUB]: 1, a: 2, [other]: 3, [`${other}x`]: 4 }))
    expect(!result.isError && Object.entries(result.value as object)).toEqual([
      [MASK, 1],
      ['a', 2],
      [`${MASK} 2`, 3],
      [`${MASK} 3`, 4],
    ])
  })

  it('leaves values to programs and the host if it is told to, and hides what the model reads', async () => {
    const result = await runRedacted(valueTool({ key: GITHUB }), { values: false })
    expect(!result.isError && result.value).toEqual({ key: GITHUB })
    expect(textsOf(result.content)).toEqual([`{"key":"${MASK}"}`])
    expect(result.meta).toMatchObject({ redacted: { count: 2 } })
  })

  it('fails closed where a value does not fit its schema any more, and says no secret', async () => {
    const tool = valueTool(GITHUB, { type: 'string', pattern: '^ghp_' })
    const result = await runRedacted(tool)
    expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_TOOL_OUTPUT' } })
    expect(JSON.stringify(result)).not.toContain(GITHUB)
    const excluded = await runRedacted(tool, { exclude: ['to*'] })
    expect(!excluded.isError && excluded.value).toBe(GITHUB)
    const included = await runRedacted(tool, { include: ['other'] })
    expect(!included.isError && included.value).toBe(GITHUB)
  })

  it('hides secrets in failures, which stay what they are', async () => {
    const tool = countedTool('tool', () => {
      throw new ToolgateError('BUSY', `no ${GITHUB}`, { details: { url: `https://a:${GITHUB}@b`, n: 1 } })
    })
    const result = await runRedacted(tool)
    expect(result).toMatchObject({
      isError: true,
      error: {
        code: 'BUSY',
        message: `no ${MASK}`,
        details: { url: 'https://a:[redacted url-password]@b', n: 1 },
      },
      content: [text(`Error: no ${MASK}`)],
      meta: { redacted: { count: 2 } },
    })
    expect(JSON.stringify(result)).not.toContain(GITHUB)
  })

  it('hides secrets in denials, whose body does not run', async () => {
    for (const stage of [
      { preExecute: () => ({ kind: 'deny', reason: `no ${GITHUB}` }) },
      { guard: () => `no ${GITHUB}` },
    ] satisfies Stages[]) {
      const tool = contentTool('done')
      const result = await runRedacted(tool, {}, [stage])
      expect(result).toMatchObject({ isError: true, content: [text(`Error: no ${MASK}`)] })
      expect(JSON.stringify(result)).not.toContain(GITHUB)
      expect(tool.runs()).toBe(0)
    }
  })

  it('hides secrets in arguments that were refused', async () => {
    const tool = countedTool('tool', () => 'done', {
      parameters: { type: 'object', properties: { n: { enum: [1] } } },
      validateArguments: true,
    })
    const registry = createToolRegistry({ tools: [tool], stages: [redact()] })
    const result = await registry.execute({ callId: '1', name: 'tool', arguments: { n: GITHUB } })
    expect(result).toMatchObject({ isError: true, error: { code: 'INVALID_ARGS' } })
    expect(JSON.stringify(result)).not.toContain(GITHUB)
    expect(tool.runs()).toBe(0)
  })

  it.each<[string, PostToolDecision]>([
    ['content', { kind: 'accept', content: [text(GITHUB)], meta: { at: GITHUB } }],
    ['a value', { kind: 'accept', value: `v ${GITHUB}`, meta: { at: GITHUB } }],
    ['contexts', { kind: 'accept', additionalContexts: [{ source: 'a', content: [text(GITHUB)] }] }],
    ['own contexts', { kind: 'accept', ownContexts: [{ source: 'a', content: [text(GITHUB)] }] }],
    [
      'a block',
      {
        kind: 'block',
        feedback: [text(GITHUB)],
        meta: { at: GITHUB },
        additionalContexts: [{ source: 'a', content: [text(GITHUB)] }],
      },
    ],
  ])('hides secrets in what stages further in put in place: %s', async (_what, decision) => {
    const result = await runRedacted(contentTool('short'), {}, [post(decision)])
    expect(result.meta).toMatchObject({ redacted: { count: expect.any(Number) } })
    expect(JSON.stringify(result)).toContain(MASK)
    expect(JSON.stringify(result)).not.toContain(GITHUB)
    expect(result.isError && result.error.code).toBe(decision.kind === 'block' && 'BLOCKED')
  })

  it('hides secrets in other words for a failure', async () => {
    const tool = countedTool('tool', () => {
      throw new Error('plain')
    })
    const words = post({ kind: 'accept', error: { message: `m ${GITHUB}` } })
    const result = await runRedacted(tool, {}, [words])
    expect(result).toMatchObject({ error: { message: `m ${MASK}` }, content: [text(`Error: m ${MASK}`)] })
  })

  it('takes a value that a stage put in place as it is read once, and one that cannot be read fails', async () => {
    let reads = 0
    const twoFaced = {
      get key() {
        return reads++ === 0 ? 'plain' : GITHUB
      },
    }
    const result = await runRedacted(valueTool({}), {}, [post({ kind: 'accept', value: twoFaced as never })])
    expect(JSON.stringify(result)).not.toContain(GITHUB)
    const cyclic: { self?: unknown } = {}
    cyclic.self = cyclic
    const failed = await runRedacted(valueTool({}), {}, [post({ kind: 'accept', value: cyclic as never })])
    expect(failed.isError).toBe(true)
  })

  it('hides secrets in all kinds of blocks, and leaves what is encoded', async () => {
    const blocks: ContentBlock[] = [
      { type: 'text', text: 'a', annotations: { by: GITHUB }, _meta: { [GITHUB]: 1 } },
      { type: 'image', data: 'AAAA', mimeType: 'image/png', _meta: { by: GITHUB } },
      {
        type: 'resource_link',
        uri: `https://a:pa55@b/${GITHUB}`,
        name: GITHUB,
        description: GITHUB,
        size: 3,
      },
      {
        type: 'resource',
        resource: { uri: `file:///${GITHUB}`, text: `in ${GITHUB}`, mimeType: 'text/plain' },
      },
      { type: 'resource', resource: { uri: 'file:///b', blob: 'AAAA' } },
    ]
    const result = await runRedacted(contentTool(blocks))
    expect(result.isError).toBe(false)
    expect(JSON.stringify(result)).not.toContain(GITHUB)
    expect(result.content).toEqual([
      { type: 'text', text: 'a', annotations: { by: MASK }, _meta: { [MASK]: 1 } },
      { type: 'image', data: 'AAAA', mimeType: 'image/png', _meta: { by: MASK } },
      {
        type: 'resource_link',
        uri: `https://a:[redacted url-password]@b/${MASK}`,
        name: MASK,
        description: MASK,
        size: 3,
      },
      { type: 'resource', resource: { uri: `file:///${MASK}`, text: `in ${MASK}`, mimeType: 'text/plain' } },
      { type: 'resource', resource: { uri: 'file:///b', blob: 'AAAA' } },
    ])
  })

  it('finds a secret that is split over blocks, wherever', async () => {
    for (let at = 1; at < GITHUB.length; at++) {
      const result = await runRedacted(
        contentTool([text(`a ${GITHUB.slice(0, at)}`), text(GITHUB.slice(at))]),
      )
      expect([at, textsOf(result.content)]).toEqual([at, [`a ${MASK}`, '']])
      expect(!result.isError && result.value).toBe(`a ${MASK}\n`)
    }
    const three = [text(GITHUB.slice(0, 9)), text(GITHUB.slice(9, 20)), text(`${GITHUB.slice(20)} b`)]
    expect(textsOf((await runRedacted(contentTool(three))).content)).toEqual([MASK, '', ' b'])
  })

  it('takes the next block for a part of a secret only if it looks like one', async () => {
    const shownAfter = async (next: string) =>
      textsOf((await runRedacted(contentTool([text(`a ${GITHUB}`), text(next), text('end')]))).content)
    for (const next of ['b', 'hello', 'Internationalization', 'and more of it', '', '\n', '1234567'])
      expect(await shownAfter(next)).toEqual([`a ${MASK}`, next, 'end'])
    expect(await shownAfter(GITHUB)).toEqual([`a ${MASK}`, MASK, 'end'])
    expect(await shownAfter('a1B2c3D4e5 rest')).toEqual([`a ${MASK}`, ' rest', 'end'])
  })

  it('makes the cards of a result without secrets, as these are made of what is left', async () => {
    const views: (ToolResultView | undefined)[] = []
    const tool = countedTool('tool', () => ({ content: [text(GITHUB)], meta: { at: GITHUB } }), {
      presentResult: (_args, { content, meta }) => ({
        card: 'generic',
        title: JSON.stringify(meta),
        content,
      }),
    })
    const registry = createToolRegistry({ tools: [tool], stages: [redact()] })
    const result = await registry.execute({ callId: '1', name: 'tool' })
    views.push(registry.get('tool')?.presentResult?.({}, result))
    expect(JSON.stringify(views)).toContain(MASK)
    expect(JSON.stringify(views)).not.toContain(GITHUB)
  })

  it('adds up what stages of several scopes hid', async () => {
    const registry = createToolRegistry({
      tools: [contentTool(`${GITHUB} hunter2`)],
      stages: [redact()],
      scopes: [{ id: 'inner', stages: [redact({ known: false, patterns: [/hunter\d/] })] }],
    })
    const result = await registry.execute({ callId: '1', name: 'tool', scope: 'inner' })
    expect(textsOf(result.content)).toEqual([`${MASK} [redacted secret]`])
    expect(result.meta).toEqual({ redacted: { count: 2 } })
  })

  it('finds what a budget would have cut in two, if it stands inside of it', async () => {
    const body = `${'x'.repeat(3_000)} ${GITHUB} ${'y'.repeat(50_000)}`
    const kept: string[] = []
    const budget = resultBudget({
      maxBytes: 5_000,
      sink: (_call, whole) => (kept.push(JSON.stringify(whole)), 'r://1'),
    })
    const registry = createToolRegistry({ tools: [contentTool(body)], stages: [budget, redact()] })
    const result = await registry.execute({ callId: '1', name: 'tool' })
    expect(JSON.stringify([result, kept])).not.toContain(GITHUB.slice(0, 12))
    expect(result.meta).toMatchObject({ redacted: { count: 1 }, resultBudget: { handle: 'r://1' } })
  })
})

describe('redact for programs', () => {
  async function runProgram(code: string, options?: RedactOptions) {
    const registry = createToolRegistry({
      tools: [
        countedTool('read', () => `key ${GITHUB}`),
        countedTool('fail', () => {
          throw new Error(`no ${GITHUB}`)
        }),
      ],
      stages: [redact(options)],
      codeRuntime: quickJsRuntime(),
      mode: 'code',
    })
    const ends: SubcallEndEvent[] = []
    const lines: string[] = []
    registry.on('subcall:end', event => ends.push(event))
    registry.on('log', event => lines.push(event.text))
    const result = await registry.execute({
      callId: 'p',
      name: 'run_code',
      arguments: { code, description: 'Runs' },
    })
    await registry.dispose()
    return { result, all: JSON.stringify([result, ends, lines]) }
  }

  it('gives them values without secrets, so that they have none to tell in other letters', async () => {
    const code = `const text = await tools.read({}); console.log(text); return [...text].join('-')`
    const { result, all } = await runProgram(code)
    expect(result.isError).toBe(false)
    expect(all).not.toContain(GITHUB)
    expect(all).not.toContain([...GITHUB].join('-'))
    expect(all).toContain([...MASK].join('-'))
  })

  it('gives them failures without secrets', async () => {
    const code = `try { await tools.fail({}) } catch (error) { return [error.code, error.message] }`
    const { result, all } = await runProgram(code)
    expect(!result.isError && result.value).toMatchObject({ result: ['TOOL_FAILED', `no ${MASK}`] })
    expect(all).not.toContain(GITHUB)
  })

  it('hides what they print or return where they are given whole values', async () => {
    const { result } = await runProgram('const t = await tools.read({}); console.log(t); return { t }', {
      values: false,
    })
    expect(textsOf(result.content).join()).not.toContain(GITHUB)
    expect(!result.isError && JSON.stringify(result.value)).toContain(GITHUB)
  })
})
