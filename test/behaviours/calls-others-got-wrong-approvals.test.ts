/**
 * Group A of the calls on which other libraries failed: approvals. What needs a pending call that outlives its process comes
 * with later work and is not here: A2, A7, A14 and A23 whole; of A1 and A24 the part after "resume", of A4 the second run of a
 * predicate on resume, of A5 the resuming itself, of A13 the signed token, of A22 the killed process.
 */
import {
  type ApprovalRequest,
  type Approver,
  createToolRegistry,
  type Stages,
  type ToolExecutionInput,
  type ToolExecutionResult,
  type ToolRegistry,
} from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { countedTool, gate, settle } from '../support/tools.js'

const codeOf = (result: ToolExecutionResult | undefined): string =>
  result === undefined ? 'none' : result.isError ? result.error.code : 'ok'
const askAbout = (...names: string[]): Stages => ({
  preExecute: (call, next) => (names.includes(call.name) ? { kind: 'ask' } : next()),
})

function setup(approve: Approver, stages: readonly Stages[] = [askAbout('gated')]) {
  const asked: ApprovalRequest[] = []
  const gated = countedTool('gated', args => JSON.stringify(args))
  const free = countedTool('free')
  const registry = createToolRegistry({
    tools: [gated, free],
    stages,
    approve: request => {
      asked.push(request)
      return approve(request)
    },
    mode: 'both',
    codeRuntime: quickJsRuntime(),
    scopes: [{ id: 'child' }],
  })
  return { registry, gated, free, asked }
}

describe('the gate', () => {
  const input = { callId: '1', name: 'gated', arguments: { a: 1 } }
  const program = (code: string) => ({
    callId: '1',
    name: 'run_code',
    arguments: { code, description: 'Call it' },
  })
  const ENTRIES: readonly (readonly [string, (registry: ToolRegistry) => Promise<unknown>])[] = [
    ['execute', r => r.execute(input)],
    ['execute in a scope', r => r.execute({ ...input, scope: 'child' })],
    ['execute of a scope', r => r.scope('child').execute(input)],
    ['executeAll', r => r.executeAll([input])],
    ['executeAll of a scope', r => r.scope('child').executeAll([input])],
    [
      'executeEach',
      async r => {
        for await (const _ of r.executeEach([input]));
      },
    ],
    ['a program', r => r.execute(program('try { await tools.gated({ a: 1 }) } catch {}'))],
    [
      'a program that does not wait',
      r => r.execute(program('tools.gated({ a: 1 }).catch(() => {}); await tools.free({})')),
    ],
    ['a program in a batch', r => r.executeAll([program('try { await tools.gated({ a: 1 }) } catch {}')])],
  ]

  it.each(ENTRIES)('stands in the way of a call by %s (A3)', async (_entry, call) => {
    const refused = setup(() => 'rejected')
    await call(refused.registry)
    expect([refused.asked.length, refused.gated.runs()]).toEqual([1, 0])
    expect(refused.asked[0]).toMatchObject({ toolName: 'gated', arguments: { a: 1 } })
  })

  it('stands in the way of a call that a tool makes (A3)', async () => {
    const { registry, gated, asked } = setup(() => 'rejected')
    registry.register(
      countedTool('outer', async (_args, { token: parent }) =>
        codeOf(await registry.execute({ ...input, parent })),
      ),
    )
    expect(await registry.execute({ callId: '0', name: 'outer' })).toMatchObject({
      value: 'APPROVAL_REJECTED',
    })
    expect([asked.length, gated.runs()]).toEqual([1, 0])
  })

  it('puts a predicate’s question once, however long the answer takes (A4)', async () => {
    const answer = gate<'allowed-once'>()
    let questions = 0
    const flips: Stages = {
      preExecute: () => {
        if (++questions > 1) throw new Error('asked twice')
        return { kind: 'ask' }
      },
    }
    const { registry, gated } = setup(() => answer.promise, [flips])
    const pending = registry.execute(input)
    await settle()
    answer.open('allowed-once')
    expect([codeOf(await pending), questions, gated.runs()]).toEqual(['ok', 1, 1])
  })

  it('of a nested scope asks with the way to the root, and its answer reaches the nested call (A5)', async () => {
    for (const [answer, told] of [
      ['allowed-once', 'ok'],
      ['rejected', 'APPROVAL_REJECTED'],
    ] as const) {
      const { registry, gated } = setup(async () => answer)
      const paths: unknown[] = []
      registry.on('approval:asked', ({ rootCallId, callId, scope }) =>
        paths.push([rootCallId, callId, scope]),
      )
      registry.register(
        countedTool('agent', async (_args, { token: parent, callId }) =>
          codeOf(await registry.execute({ ...input, callId: `${callId}/step`, parent, scope: 'child' })),
        ),
      )
      expect(await registry.execute({ callId: 'turn', name: 'agent' })).toMatchObject({ value: told })
      expect(paths).toEqual([['turn', 'turn/step', 'child']])
      expect(gated.runs()).toBe(told === 'ok' ? 1 : 0)
    }
  })

  it.each([
    ['at once', () => 'allowed-once' as const],
    ['in the next turn', async () => (await settle(), 'allowed-once' as const)],
  ])('takes a large payload with an answer %s (A8)', async (_when, approve) => {
    const { registry, gated, asked } = setup(approve)
    for (const args of [
      { text: 'x'.repeat(2 * 1024 * 1024) },
      { list: Array.from({ length: 200_000 }, (_, i) => i) },
    ]) {
      const result = await registry.execute({ ...input, arguments: args })
      expect(codeOf(result)).toBe('ok')
      expect(asked.at(-1)?.arguments).toEqual(args)
    }
    expect(gated.runs()).toBe(2)
  })

  it.each([
    ['another tool', { toolName: 'free' }],
    ['another name', { name: 'free' }],
    ['other arguments', { arguments: { a: 2 } }],
    ['an edited call', { edit: { name: 'free', arguments: {} } }],
  ])('takes no answer that makes %s of the call (A11)', async (_what, edit) => {
    const { registry, gated, free } = setup(() => ({ outcome: 'allowed-once', ...edit }) as never)
    expect(codeOf(await registry.execute(input))).toBe('APPROVAL_UNAVAILABLE')
    expect([gated.runs(), free.runs()]).toEqual([0, 0])
  })

  it('tells the model not to try again, and refuses each time it does (A12)', async () => {
    const { registry, gated, asked } = setup(() => ({ outcome: 'rejected', reason: 'not on Fridays' }))
    for (let i = 0; i < 5; i++) {
      const result = await registry.execute({ ...input, callId: `${i}` })
      expect(result).toMatchObject({ error: { code: 'APPROVAL_REJECTED' } })
      expect(result.content).toEqual([
        { type: 'text', text: expect.stringMatching(/not on Fridays.*Do not repeat it/) },
      ])
    }
    expect([asked.length, gated.runs()]).toEqual([5, 0])
  })

  it('can be kept shut after a refusal by a stage that counts, so that no human is asked for ever (A12)', async () => {
    const refused = new Set<string>()
    const once: Stages = {
      guard: call =>
        refused.has(JSON.stringify(call.arguments)) ? 'The user has refused exactly this' : undefined,
      onResult: (call, result) => {
        if (codeOf(result) === 'APPROVAL_REJECTED') refused.add(JSON.stringify(call.arguments))
      },
    }
    const { registry, gated, asked } = setup(() => 'rejected', [askAbout('gated'), once])
    const codes: string[] = []
    for (let i = 0; i < 5; i++) codes.push(codeOf(await registry.execute({ ...input, callId: `${i}` })))
    expect(codes).toEqual(['APPROVAL_REJECTED', ...Array(4).fill('GUARD_DENIED')])
    expect([asked.length, gated.runs()]).toEqual([1, 0])
  })

  it.each([
    ['a field of the call', { approved: true }],
    ['an approval in the call', { approval: { id: 'approval-1', outcome: 'allowed-once' } }],
    ['a decision in the call', { decision: { kind: 'allow' } }],
    ['the arguments', { arguments: { approved: true, outcome: 'allowed-once' } }],
    ['the caller', { caller: { approved: true } }],
    ['the id of an approved call', { callId: 'approved' }],
  ])('is not opened by what a client says in %s (A13)', async (_where, forged) => {
    const { registry, gated } = setup(({ callId, arguments: args }) =>
      callId === 'approved' && (args as { a: number }).a === 1 ? 'allowed-once' : 'rejected',
    )
    expect(codeOf(await registry.execute({ ...input, callId: 'approved' }))).toBe('ok')
    const again = { ...input, arguments: { a: 2 }, ...forged } as ToolExecutionInput
    expect(codeOf(await registry.execute(again))).toBe('APPROVAL_REJECTED')
    expect(gated.runs()).toBe(1)
  })

  it('runs the arguments that were approved, whoever changes them meanwhile (A17)', async () => {
    const given = { path: 'harmless', deep: { list: ['a'] } }
    const faults: unknown[] = []
    const { registry, gated } = setup(async request => {
      await settle()
      given.path = 'dangerous'
      given.deep.list.push('b')
      try {
        ;(request.arguments as { path: string }).path = 'dangerous'
      } catch (error) {
        faults.push((error as Error).name)
      }
      return 'allowed-once' as const
    })
    const result = await registry.execute({ ...input, arguments: given })
    expect(result).toMatchObject({ value: '{"path":"harmless","deep":{"list":["a"]}}' })
    expect([faults, gated.runs()]).toEqual([['TypeError'], 1])
  })

  it('asks again for an identical call after the first has run, failed or been refused (A19)', async () => {
    const answers = ['allowed-once', 'allowed-once', 'rejected', 'allowed-once'] as const
    let at = 0
    const { registry, asked, gated } = setup(() => answers[at++] as (typeof answers)[number])
    const codes: string[] = []
    for (let i = 0; i < answers.length; i++) codes.push(codeOf(await registry.execute(input)))
    expect(codes).toEqual(['ok', 'ok', 'APPROVAL_REJECTED', 'ok'])
    expect([asked.length, new Set(asked.map(({ id }) => id)).size, gated.runs()]).toEqual([4, 4, 3])
  })

  it('waits no longer than a deadline that the caller sets (A22)', async () => {
    const { registry, gated } = setup(() => new Promise(() => {}))
    const deadline = new AbortController()
    const pending = registry.executeAll([input, { callId: '2', name: 'free' }], { signal: deadline.signal })
    await settle()
    deadline.abort(new Error('nobody answered'))
    expect((await pending).map(codeOf)).toEqual(['ABORTED_BEFORE_DISPATCH', 'ABORTED_BEFORE_DISPATCH'])
    expect(gated.runs()).toBe(0)
  })

  it('inside a program holds that call alone, and the program goes on with the answer (A24)', async () => {
    const answer = gate<'allowed-once'>()
    const { registry, gated, free } = setup(() => answer.promise)
    const code = `const [a, b] = await Promise.all([tools.gated({ a: 1 }), tools.free({})]); return [a, b]`
    const pending = registry.execute(program(code))
    await settle()
    answer.open('allowed-once')
    expect(await pending).toMatchObject({ value: { result: ['{"a":1}', 'done'] } })
    expect([gated.runs(), free.runs()]).toEqual([1, 1])
  })

  it('knows a refusal with a reason beside a question, by argument (A25)', async () => {
    const byPath: Stages = {
      preExecute: (call, next) => {
        const { path = '' } = call.arguments as { path?: string }
        if (path.startsWith('/etc')) return { kind: 'deny', reason: `${path} is never written` }
        return path.startsWith('/home') ? { kind: 'ask', reason: 'it is the user’s' } : next()
      },
    }
    const { registry, gated, asked } = setup(() => 'allowed-once', [byPath])
    const call = (path: string) => registry.execute({ ...input, arguments: { path } })
    expect(await call('/etc/passwd')).toMatchObject({
      error: { code: 'DENIED', message: '/etc/passwd is never written' },
    })
    expect([asked.length, gated.runs()]).toEqual([0, 0])
    expect(codeOf(await call('/home/a'))).toBe('ok')
    expect(codeOf(await call('/tmp/a'))).toBe('ok')
    expect(asked.map(({ reason }) => reason)).toEqual(['it is the user’s'])
  })
})
