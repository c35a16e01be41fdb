/** What happens when the registry is changed, or called, from inside a call: by stages, bodies, approvers and observers. */
import { createToolRegistry, type Stages, type ToolRegistry, type ToolScope } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool, settle } from '../support/tools.js'

const PLACES = [
  'preExecute',
  'a guard',
  'the approver',
  'execute before next()',
  'the body',
  'execute after next()',
  'postExecute',
  'finalizeContent',
  'onResult',
  'the result event',
] as const
type Place = (typeof PLACES)[number]

interface Change {
  readonly what: string
  apply(world: World): unknown
  /** The code of a call that the change came early enough for, and the last place that is. */
  readonly code: string
  readonly codeOnceAsked?: string
  readonly until: Place | 'nowhere'
  /** The code of the next call. */
  readonly next: string
}

interface World {
  readonly registry: ToolRegistry
  readonly scope: ToolScope
  readonly unregister: () => void
}

const CHANGES: readonly Change[] = [
  {
    what: 'the tool’s registration is disposed',
    apply: ({ unregister }) => unregister(),
    code: 'UNKNOWN_TOOL',
    until: 'execute before next()',
    next: 'UNKNOWN_TOOL',
  },
  {
    what: 'the tool is masked',
    apply: ({ scope }) => scope.restrict({ deny: ['t'] }),
    code: 'UNKNOWN_TOOL',
    until: 'execute before next()',
    next: 'UNKNOWN_TOOL',
  },
  {
    what: 'the tool is shadowed',
    apply: ({ scope }) => scope.register(countedTool('t', () => 'by the shadow')),
    code: 'by the shadow',
    // What was approved is what runs.
    codeOnceAsked: 'APPROVAL_CANCELLED',
    until: 'execute before next()',
    next: 'by the shadow',
  },
  {
    what: 'a guard is added',
    apply: ({ scope }) => scope.guard(() => 'closed'),
    code: 'GUARD_DENIED',
    until: 'the approver',
    next: 'GUARD_DENIED',
  },
  {
    what: 'a guard is added above',
    apply: ({ registry }) => registry.guard(() => 'closed'),
    code: 'GUARD_DENIED',
    until: 'the approver',
    next: 'GUARD_DENIED',
  },
  {
    what: 'policy is added',
    apply: ({ scope }) => scope.use({ preExecute: () => ({ kind: 'deny', reason: 'closed' }) }),
    code: 'done',
    until: 'nowhere',
    next: 'DENIED',
  },
  {
    what: 'post-execute is added',
    apply: ({ registry }) => registry.use({ postExecute: () => ({ kind: 'block', feedback: [] }) }),
    code: 'done',
    until: 'nowhere',
    next: 'BLOCKED',
  },
  {
    what: 'a tool and a scope are added',
    apply: ({ registry }) => registry.createScope({ id: 'late', tools: [countedTool('late')] }),
    code: 'done',
    until: 'nowhere',
    next: 'done',
  },
  {
    what: 'another call is made',
    apply: ({ scope }) => scope.execute({ callId: 'inner', name: 't' }),
    code: 'done',
    until: 'nowhere',
    next: 'done',
  },
]

const rows = CHANGES.flatMap(change => PLACES.map(place => [change.what, place, change] as const))

/** A registry in which `act` runs once, at a place of the first call. */
function setup(place: Place, act: (world: World) => unknown) {
  let acted = false
  const at = (here: Place): void => {
    if (here !== place || acted) return
    acted = true
    act({ registry, scope: registry.scope('a'), unregister })
  }
  const stage: Stages = {
    preExecute: async (_call, next) => {
      at('preExecute')
      const inner = await next()
      return inner.kind === 'allow' ? { kind: 'ask' } : inner
    },
    guard: () => (at('a guard'), undefined),
    execute: async (_call, next) => {
      at('execute before next()')
      const result = await next()
      at('execute after next()')
      return result
    },
    postExecute: (_call, _result, next) => (at('postExecute'), next()),
    onResult: () => at('onResult'),
  }
  const tool = countedTool('t', () => (at('the body'), 'done'), {
    finalizeContent: () => (at('finalizeContent'), undefined),
  })
  const registry = createToolRegistry({
    stages: [stage],
    approve: () => (at('the approver'), 'allowed-once'),
    scopes: [{ id: 'a' }],
  })
  const unregister = registry.register(tool)
  const heard: string[] = []
  registry.on('result', ({ callId }) => {
    heard.push(callId)
    at('the result event')
  })
  const run = async (callId: string) => {
    const result = await registry.execute({ callId, name: 't', scope: 'a' })
    return result.isError ? result.error.code : result.value
  }
  return { registry, tool, run, heard, acted: () => acted }
}

describe('a call during which', () => {
  it.each(rows)(
    '%s, in %s, goes on by what it had come to; the next one by what is',
    async (_what, place, change) => {
      const { run, tool, heard, acted } = setup(place, change.apply)
      const early = change.until !== 'nowhere' && PLACES.indexOf(place) <= PLACES.indexOf(change.until)
      const code = await run('first')
      expect(acted()).toBe(true)
      const asked = PLACES.indexOf(place) >= PLACES.indexOf('the approver')
      expect(code).toBe(early ? ((asked ? change.codeOnceAsked : undefined) ?? change.code) : 'done')
      await settle()
      const inner = heard.filter(callId => callId === 'inner').length
      expect(tool.runs()).toBe((early ? 0 : 1) + inner)
      expect(await run('next')).toBe(change.next)
      expect(heard.filter(callId => callId !== 'inner')).toEqual(['first', 'next'])
      expect(inner).toBe(change.what === 'another call is made' ? 1 : 0)
    },
  )

  it.each(PLACES)('its own scope is disposed, in %s, ends and lets the disposal end', async place => {
    let disposal: Promise<void> | undefined
    const { registry, run, tool, heard } = setup(place, ({ scope }) => {
      disposal = scope.dispose()
    })
    const reached = PLACES.indexOf(place)
    const started = reached >= PLACES.indexOf('the body')
    const judged = reached >= PLACES.indexOf('finalizeContent')
    expect(await run('first')).toBe(judged ? 'done' : started ? 'ABORTED' : 'ABORTED_BEFORE_DISPATCH')
    expect(tool.runs()).toBe(started ? 1 : 0)
    await disposal
    expect(heard).toEqual(['first'])
    expect(await run('next')).toBe('UNKNOWN_SCOPE')
    expect(() => registry.scope('a')).toThrow(expect.objectContaining({ code: 'UNKNOWN_SCOPE' }))
    await registry.dispose()
    expect(await run('last')).toBe('DISPOSED')
  })
})
