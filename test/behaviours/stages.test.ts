/**
 * Stages before the body, and what a call is while it passes them. The lines are in docs/behaviours/registry-and-scopes.md;
 * the stages around the body are in stages-around.test.ts, how calls end is in stages-outcomes.test.ts. Decided otherwise:
 * - PIPE-01 prepare, pre-execute, guards, approval if asked for, guards again, execute around dispatch, post-execute,
 *   finalizeContent, result (shown by test/pipeline/order.test.ts).
 * - PIPE-17 a tool that took the name of an approved one does not run in its place (test/pipeline/approvals.test.ts).
 */
import { createToolRegistry, type Stages, type ToolDefinition } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'

const text = (value: string) => [{ type: 'text' as const, text: value }]
const call = { callId: '1', name: 't' }
const run = async (tool: ToolDefinition, ...stages: Stages[]) =>
  createToolRegistry({ tools: [tool], stages }).execute(call)

describe('a call', () => {
  it('is read and frozen before anybody else’s code runs (PIPE-02, PIPE-03)', async () => {
    const log: string[] = []
    const tool = countedTool('t', args => (log.push(`body ${JSON.stringify(args)}`), 'ok'))
    const see: Stages = {
      preExecute: ({ callId, name, caller }, next) => (
        log.push(`policy ${callId} ${name} ${caller}`), next()
      ),
    }
    const registry = createToolRegistry({
      tools: [tool, countedTool('other')],
      stages: [see],
      scopes: [{ id: 'a' }],
    })
    const fields: Record<string, unknown> = { ...call, arguments: { n: { m: 1 } }, caller: 'me' }
    const fieldNames = ['callId', 'name', 'arguments', 'signal', 'scope', 'caller', 'parent', 'rootCallId']
    const input = {}
    for (const field of fieldNames)
      Object.defineProperty(input, field, { get: () => (log.push(`read ${field}`), fields[field]) })
    const pending = registry.execute(input as never)
    expect(log.splice(0).toSorted()).toEqual(fieldNames.map(field => `read ${field}`).toSorted())
    Object.assign(fields.arguments as object, { n: 'changed', late: true })
    Object.assign(fields, {
      callId: '2',
      name: 'other',
      scope: 'a',
      signal: AbortSignal.abort(),
      caller: 'them',
    })
    expect(await pending).toMatchObject({ callId: '1', name: 't', isError: false })
    expect(log).toEqual(['policy 1 t me', 'body {"n":{"m":1}}'])
  })

  it('that was refused is told of by what was read, not by what it has become (PIPE-03)', async () => {
    const registry = createToolRegistry({ tools: [countedTool('t')] })
    const input: { callId: string; name: string; arguments: unknown } = { ...call, arguments: '{' }
    const pending = registry.execute(input)
    Object.assign(input, { callId: '2', name: 'other', arguments: {} })
    expect(await pending).toMatchObject({ callId: '1', name: 't', error: { code: 'ARGUMENTS_NOT_JSON' } })
  })

  it('overlaps with any other that is executed directly (PIPE-25)', async () => {
    const exclusive = countedTool('t', () => both.promise.then(() => 'met'))
    const both = gate()
    const registry = createToolRegistry({ tools: [exclusive] })
    const calls = [registry.execute(call), registry.execute({ ...call, callId: '2' })]
    await settle()
    expect(exclusive.runs()).toBe(2)
    both.open()
    expect(await Promise.all(calls)).toMatchObject([{ value: 'met' }, { value: 'met' }])
  })
})

describe('pre-execute', () => {
  it('ends in allow, and a stage that does not go on decides for those further in (PIPE-04)', async () => {
    const asked: string[] = []
    let ended: unknown
    const stages: Stages[] = [
      {
        preExecute: async (_call, next) => {
          asked.push('outer')
          ended = await next()
          return ended as never
        },
      },
      { preExecute: (_call, next) => (asked.push('inner'), next()) },
    ]
    expect(await run(countedTool('t'), ...stages)).toMatchObject({ isError: false })
    expect([asked.splice(0), ended]).toEqual([['outer', 'inner'], { kind: 'allow' }])
    const tool = countedTool('t')
    const deny: Stages = { preExecute: () => ({ kind: 'deny', reason: 'no' }) }
    expect(await run(tool, deny, ...stages)).toMatchObject({ error: { code: 'DENIED' } })
    const allow: Stages = { preExecute: () => ({ kind: 'allow' }) }
    expect(await run(countedTool('t'), allow, deny)).toMatchObject({ isError: false })
    expect([asked, tool.runs()]).toEqual([[], 0])
  })
})

describe('a tool that changes while its call is under way', () => {
  it('is looked up again for the body; the last word is that of the tool the call came in for (PIPE-17)', async () => {
    const version = (name: string) =>
      countedTool('t', () => `body of ${name}`, { finalizeContent: () => text(`last word of ${name}`) })
    for (const replaced of [true, false]) {
      const [old, young] = [version('old'), version('young')]
      const registry = createToolRegistry({
        stages: [
          {
            preExecute: () => {
              registration()
              if (replaced) registry.register(young)
              return { kind: 'allow' }
            },
          },
        ],
      })
      const registration = registry.register(old)
      const result = await registry.execute(call)
      expect(result).toMatchObject(
        replaced
          ? { isError: false, value: 'body of young' }
          : { isError: true, error: { code: 'UNKNOWN_TOOL' } },
      )
      expect(result.content).toEqual(text('last word of old'))
      expect([old.runs(), young.runs()]).toEqual([0, replaced ? 1 : 0])
    }
  })
})
