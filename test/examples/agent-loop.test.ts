import { readFile } from 'node:fs/promises'
import { createToolRegistry } from 'toolgate'
import { afterEach, describe, expect, it } from 'vitest'
import { runAgent } from '../../examples/agent-loop.js'
import { openAiModel } from '../../examples/support/openai-model.js'
import { countedTool } from '../support/tools.js'
import { fakeOpenAi, type WireReply } from './fake-openai.js'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function play(script: readonly WireReply[], signal = new AbortController().signal) {
  const server = await fakeOpenAi(script)
  closers.push(server.close)
  const greet = countedTool('greet', ({ who }) => `hello ${who}`)
  const registry = createToolRegistry({ tools: [greet], scopes: [{ id: 'agent' }] })
  const model = openAiModel({ baseUrl: server.baseUrl, apiKey: 'none', model: 'fake' })
  const run = runAgent({ registry, model, scope: 'agent', question: 'Greet Ann', signal })
  return { run, server, greet }
}

describe('the agent loop over an OpenAI-compatible endpoint', () => {
  it('runs what the model calls and answers with what it says', async () => {
    const { run, server, greet } = await play([
      { calls: [{ id: 'a', name: 'greet', arguments: '{"who":"Ann"}' }] },
      { content: 'Done.' },
    ])
    expect(await run).toMatchObject({ outcome: 'answered', answer: 'Done.', turns: 2 })
    expect(greet.runs()).toBe(1)
    expect(server.requests[0]?.tools.map(tool => tool.function.name)).toEqual(['greet'])
    expect(server.requests[1]?.messages.at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: 'hello Ann',
    })
  })

  it('gives every call one result: malformed JSON, unknown tools and duplicates are told, not run', async () => {
    const { run, server, greet } = await play([
      {
        calls: [
          { id: 'a', name: 'greet', arguments: '{"who":"An' },
          { id: 'b', name: 'greeet', arguments: '{}' },
          { id: 'c', name: 'greet', arguments: '{"who":"Bo"}' },
          { id: 'c', name: 'greet', arguments: '{"who":"Cy"}' },
        ],
      },
      { content: 'Sorry.' },
    ])
    expect(await run).toMatchObject({ outcome: 'answered', turns: 2 })
    expect(greet.runs()).toBe(1)
    const told = server.requests[1]?.messages.filter(message => message.role === 'tool') ?? []
    expect(told.map(message => message.tool_call_id)).toEqual(['a', 'b', 'c', 'c'])
    expect(told[0]?.content).toContain('not JSON')
    expect(told[1]?.content).toContain('"greet"')
    expect(told[2]?.content).toBe('hello Bo')
    expect(told[3]?.content).toContain('has the id "c"')
  })

  it('says what the endpoint answered when it fails', async () => {
    const { run } = await play([{ status: 503 }])
    await expect(run).rejects.toThrow('503: overloaded')
  })

  it('stops where it is when it is aborted', async () => {
    const { run } = await play([], AbortSignal.abort())
    expect(await run).toMatchObject({ outcome: 'aborted', turns: 0 })
  })

  it('is under a hundred lines', async () => {
    const text = await readFile(new URL('../../examples/agent-loop.ts', import.meta.url), 'utf8')
    expect(text.split('\n').length).toBeLessThan(100)
  })
})
