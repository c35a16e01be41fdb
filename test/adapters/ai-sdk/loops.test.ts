import { generateText, stepCountIs, streamText, ToolLoopAgent } from 'ai'
import type { MockLanguageModelV4 } from 'ai/test'
import { createToolRegistry } from 'toolgate'
import { type AiSdkToolSet, aiSdkTools } from 'toolgate/ai-sdk'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../../support/tools.js'
import { agentRegistry, PIXEL } from '../tools.js'
import { call, DONE, modelOf, toldTo } from './support.js'

interface Run {
  readonly model: MockLanguageModelV4
  readonly tools: AiSdkToolSet
  readonly more?: object
}
type Loop = (run: Run) => Promise<{ readonly text: string; readonly results: readonly any[] }>

const resultsOf = (steps: readonly { readonly toolResults: readonly any[] }[]): any[] =>
  steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output))

const LOOPS: { readonly [name: string]: Loop } = {
  async generateText({ model, tools, more }) {
    const { text, steps } = await generateText({
      model,
      tools,
      prompt: 'Go',
      stopWhen: stepCountIs(4),
      ...more,
    })
    return { text, results: resultsOf(steps) }
  },
  async streamText({ model, tools, more }) {
    const run = streamText({ model, tools, prompt: 'Go', stopWhen: stepCountIs(4), ...more })
    return { text: await run.text, results: resultsOf(await run.steps) }
  },
  async 'ToolLoopAgent.generate'({ model, tools, more }) {
    const { text, steps } = await new ToolLoopAgent({ model, tools, ...more }).generate({ prompt: 'Go' })
    return { text, results: resultsOf(steps) }
  },
  async 'ToolLoopAgent.stream'({ model, tools, more }) {
    const run = await new ToolLoopAgent({ model, tools, ...more }).stream({ prompt: 'Go' })
    return { text: await run.text, results: resultsOf(await run.steps) }
  },
}

describe.each(Object.entries(LOOPS))('%s of the AI SDK', (_name, loop) => {
  it('answers a call, a failure, an image and a denial, though two calls have one id', async () => {
    const { registry, read, broken, shot, remove } = agentRegistry()
    const tools = aiSdkTools(registry)
    const name = Object.keys(tools).find(key => key.startsWith('files_read')) as string
    const model = modelOf(
      [call('a', name, '{"path":"a.md"}'), call('b', 'broken', '{}')],
      [call('a', 'screenshot', ''), call('b', 'remove', '{}')],
      DONE,
    )
    const { text, results } = await loop({ model, tools })
    expect(text).toBe('Done.')
    expect([read, broken, shot, remove].map(each => each.runs())).toEqual([1, 1, 1, 0])
    expect(results.map(result => (result.isError ? result.error.code : result.name)).toSorted()).toEqual(
      ['DENIED', 'TOOL_FAILED', 'files.read', 'screenshot'].toSorted(),
    )
    expect(toldTo(model)).toEqual({
      [name]: { type: 'text', value: 'text of a.md' },
      broken: { type: 'error-text', value: expect.stringContaining('the disk is gone') },
      screenshot: {
        type: 'content',
        value: [
          { type: 'text', text: 'the window' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PIXEL } },
        ],
      },
      remove: { type: 'execution-denied', reason: expect.stringContaining('nothing is removed') },
    })
  })

  it('runs no call whose arguments are no JSON or of no tool, and goes on', async () => {
    const echo = countedTool('echo', args => JSON.stringify(args))
    const registry = createToolRegistry({ tools: [echo] })
    const model = modelOf([call('a', 'echo', '{"a":'), call('b', 'nothing', '{}')], DONE)
    expect((await loop({ model, tools: aiSdkTools(registry) })).text).toBe('Done.')
    expect(toldTo(model)).toMatchObject({ echo: { type: 'error-text' }, nothing: { type: 'error-text' } })
    expect(echo.runs()).toBe(0)
  })

  it('hands the context of a tool to policies and bodies as the caller', async () => {
    const callers: unknown[] = []
    const who = countedTool('who', (_args, { caller }) => `${JSON.stringify(caller)}`)
    const registry = createToolRegistry({
      tools: [who],
      stages: [
        {
          preExecute({ caller }, next) {
            callers.push(caller)
            return next()
          },
        },
      ],
    })
    const user = { name: 'Ada' }
    const model = modelOf([call('a', 'who', '{}')], DONE)
    await loop({ model, tools: aiSdkTools(registry), more: { toolsContext: { who: user } } })
    expect(callers).toEqual([user])
    expect(callers[0]).toBe(user)
    expect(toldTo(model).who).toEqual({ type: 'text', value: '{"name":"Ada"}' })
  })

  it('leaves calls alone that the provider has executed, though a tool here has the name', async () => {
    const search = countedTool('search', () => 'mine')
    const registry = createToolRegistry({ tools: [search] })
    const model = modelOf(
      [
        call('p', 'search', '{}', { providerExecuted: true }),
        { type: 'tool-result', toolCallId: 'p', toolName: 'search', result: { hits: [1] } },
        call('a', 'search', '{}'),
      ],
      DONE,
    )
    expect((await loop({ model, tools: aiSdkTools(registry) })).text).toBe('Done.')
    expect(search.runs()).toBe(1)
    const prompts = [...model.doGenerateCalls, ...model.doStreamCalls].at(-1)?.prompt
    expect(JSON.stringify(prompts)).toContain('{"type":"json","value":{"hits":[1]}}')
    expect(toldTo(model).search).toEqual({ type: 'text', value: 'mine' })
  })

  it('asks for approvals of its own before a call passes the pipeline, which still decides', async () => {
    for (const [approved, runs] of [
      [true, 1],
      [false, 0],
    ] as const) {
      const { registry, shot, remove } = agentRegistry()
      const tools = aiSdkTools(registry)
      const toolApproval = { screenshot: 'user-approval', remove: 'user-approval' }
      const first = await generateText({
        model: modelOf([call('a', 'screenshot', '{}'), call('b', 'remove', '{}')]),
        tools,
        prompt: 'Go',
        toolApproval: toolApproval as never,
      })
      expect([shot.runs(), remove.runs()]).toEqual([0, 0])
      const requests = first.content.filter(part => part.type === 'tool-approval-request')
      const content = requests.map(({ approvalId }) => ({
        type: 'tool-approval-response',
        approvalId,
        approved,
      }))
      const messages = [
        { role: 'user', content: 'Go' },
        ...first.response.messages,
        { role: 'tool', content },
      ]
      const model = modelOf(DONE)
      const settings = { model, tools, toolApproval, messages, stopWhen: stepCountIs(3) } as any
      const { text } = _name.startsWith('stream') ? streamText(settings) : await generateText(settings)
      expect(await text).toBe('Done.')
      expect([shot.runs(), remove.runs()]).toEqual([runs, 0])
      expect(toldTo(model)).toMatchObject({
        screenshot: { type: approved ? 'content' : 'execution-denied' },
        remove: { type: 'execution-denied', ...(approved && { reason: expect.stringContaining('removed') }) },
      })
    }
  })
})
