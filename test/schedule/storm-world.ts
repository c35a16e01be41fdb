import {
  type Approver,
  createToolRegistry,
  type Stages,
  type ToolContext,
  type ToolDefinition,
  type ToolRegistry,
  timeoutPolicy,
} from 'toolgate'
import { countedTool } from '../support/tools.js'

/** What a call of the storm does. */
export const KINDS = [
  'read',
  'write',
  'keyed',
  'throw',
  'reject',
  'obeys',
  'deaf',
  'slow',
  'ghost',
  'denied',
  'guarded',
  'asked',
  'invalid',
  'churn',
  'scoped',
  'closes',
  'malformed',
] as const
export type Kind = (typeof KINDS)[number]

export interface Body {
  readonly callId: string
  readonly kind: Kind
  readonly key: string
}

/** What was seen of the bodies: how many at a time, and whether one ran beside another that it must not run beside. */
export class Watch {
  readonly ran: string[] = []
  readonly wrong: string[] = []
  readonly #running = new Set<Body>()
  most = 0
  /** Timers of bodies and of the approver: not the package's. */
  sleeping = 0

  sleep(ms: number): Promise<void> {
    this.sleeping++
    return new Promise(resolve =>
      setTimeout(() => {
        this.sleeping--
        resolve()
      }, ms),
    )
  }

  enter(body: Body): () => void {
    this.ran.push(body.callId)
    for (const other of this.#running)
      if (clash(body, other)) this.wrong.push(`${body.kind} beside ${other.kind}`)
    this.#running.add(body)
    this.most = Math.max(this.most, this.#running.size)
    return () => this.#running.delete(body)
  }
}

const SAFE: readonly Kind[] = ['read', 'reject', 'obeys', 'deaf', 'slow', 'asked', 'denied', 'guarded']

function clash(one: Body, other: Body): boolean {
  if (SAFE.includes(one.kind) && SAFE.includes(other.kind)) return false
  const isShared = (body: Body) => body.kind === 'keyed' || SAFE.includes(body.kind)
  if (!isShared(one) || !isShared(other)) return true
  return one.kind === other.kind && one.key === other.key
}

export const ticks = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await undefined
}

type Act = (args: { ticks: number; key: string }, context: ToolContext) => unknown

/** A registry whose tools, stages, approver and observers misbehave in every way that is known. */
export function stormWorld(watch: Watch): ToolRegistry {
  const tool = (name: Kind, act: Act, rest: Partial<ToolDefinition> = {}): ToolDefinition =>
    countedTool(
      name,
      async (args, context) => {
        const leave = watch.enter({ callId: context.callId, kind: name, key: args.key })
        // A body that was given up on runs on, and is nobody's any more.
        context.signal.addEventListener('abort', () => void (name === 'deaf' && leave()))
        try {
          return await act(args, context)
        } finally {
          leave()
        }
      },
      SAFE.includes(name) ? { isConcurrencySafe: () => true, ...rest } : rest,
    )
  const work: Act = async args => {
    // Some take so little time that others cannot start meanwhile, and some do not.
    if (args.ticks > 3) await watch.sleep(args.ticks)
    else await ticks(args.ticks)
    return 'ok'
  }
  const policy: Stages = {
    preExecute: async ({ name, callId }, next) => {
      await ticks(callId.length % 3)
      if (name === 'denied') return { kind: 'deny', reason: 'no' }
      return name === 'asked' ? { kind: 'ask' } : next()
    },
    guard: ({ name }) => (name === 'guarded' ? 'no' : undefined),
    onResult: ({ name }) => {
      if (name === 'read') throw new Error('observer')
      if (name === 'write') return Promise.reject(new Error('observer'))
    },
  }
  const approve: Approver = async ({ callId }) => {
    await watch.sleep(3)
    if (callId.endsWith('3')) throw new Error('approver')
    return callId.endsWith('2') ? 'rejected' : 'allowed-once'
  }
  const registry = createToolRegistry({
    stages: [timeoutPolicy({ graceMs: 2 }), policy],
    approve,
    abortGraceMs: 8,
    tools: [
      tool('read', work),
      tool('write', work),
      tool('keyed', work, { resourceKeys: ({ key }) => [key] }),
      tool('throw', () => {
        throw new Error('boom')
      }),
      tool('reject', () => Promise.reject(new Error('boom'))),
      tool(
        'obeys',
        (_args, { signal }) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
        { timeoutMs: 7 },
      ),
      tool('deaf', () => new Promise(() => {}), { timeoutMs: 4 }),
      tool('slow', async (_args, { callId }) => {
        await watch.sleep(callId.length)
        return 'ok'
      }),
      tool('denied', work),
      tool('guarded', work),
      tool('asked', work),
      tool('invalid', () => Symbol('no')),
      tool('churn', async (args, { callId }) => {
        const registration = registry.register(countedTool('ghost', () => 'ok'))
        const scope = registry.createScope({ id: callId, restrict: { deny: ['read'] } })
        await work(args, undefined as never)
        registration()
        void scope.dispose()
        return 'ok'
      }),
      tool('scoped', async (args, { callId }) => {
        const scope = registry.createScope({ id: `scope of ${callId}` })
        const inner = scope.execute({ callId: `${callId}:inner`, name: 'slow', arguments: args })
        await scope.dispose()
        const result = await inner
        return result.isError ? result.error.code : 'ok'
      }),
      tool('closes', async args => {
        void registry.scope('fleeting').dispose()
        return work(args, undefined as never)
      }),
    ],
    scopes: [{ id: 'fleeting' }],
  })
  registry.on('result', ({ name }) => {
    if (name === 'keyed') throw new Error('listener')
  })
  return registry
}
