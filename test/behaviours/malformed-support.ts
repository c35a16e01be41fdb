import { type Approver, createToolRegistry, type Stages, type ToolDefinition } from 'toolgate'
import { expect } from 'vitest'
import { countedTool, isDeepFrozen, settle } from '../support/tools.js'

/** Every place where what a user's function returns is read. */
export const HOOKS = [
  'preExecute',
  'guard',
  'approve',
  'execute',
  'postExecute',
  'finalizeContent',
  'body',
  'render',
  'presentationMeta',
] as const
export type Hook = (typeof HOOKS)[number]

/** What stands in front of the body: if it is malformed, the body never runs. */
const BEFORE_BODY: readonly Hook[] = ['preExecute', 'guard', 'approve', 'execute']

const OF_THE_TOOL: readonly Hook[] = ['finalizeContent', 'body', 'render', 'presentationMeta']

export const revoked = (target: object = {}): object => {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

export const boom = (): never => {
  throw new Error('by accessor')
}

/** A registry whose one hook answers `answer()`; everything else is well-formed. */
function create(hook: Hook, answer: () => unknown) {
  const ask: Stages = { preExecute: () => ({ kind: 'ask' }) }
  const stages: Stages[] = []
  let approve: Approver = () => 'allowed-once'
  let body: () => unknown = () => 'secret'
  let rest: Partial<ToolDefinition> = {}
  if (hook === 'approve') {
    stages.push(ask)
    approve = answer as Approver
  } else if (hook === 'body') body = answer
  else if (hook === 'finalizeContent') rest = { finalizeContent: answer as never }
  else if (hook === 'render') rest = { output: { schema: {}, render: answer as never } }
  else if (hook === 'presentationMeta')
    rest = { output: { schema: {}, render: () => [], presentationMeta: answer as never } }
  else stages.push({ name: 'broken', [hook]: answer } as Stages)
  const tool = countedTool('work', body, rest)
  let observed = 0
  stages.unshift({ onResult: () => void observed++ })
  const registry = createToolRegistry({ tools: [tool], stages, approve })
  let heard = 0
  registry.on('result', () => void heard++)
  return { registry, tool, told: () => [observed, heard] }
}

/**
 * Calls a tool, alone and in a batch, while one hook answers what it may not, and expects the one frozen result with this
 * code, told once to each observer; the body not run where the hook stands before it, and nothing of its value shown.
 */
export async function failsWith(hook: Hook, answer: () => unknown, code: string): Promise<void> {
  for (const alone of [true, false]) {
    const { registry, tool, told } = create(hook, answer)
    const input = { callId: '1', name: 'work' }
    const results = alone ? [await registry.execute(input)] : await registry.executeAll([input])
    const [result] = results
    expect(result).toMatchObject({ callId: '1', name: 'work', isError: true, error: { code } })
    expect([results.length, told()]).toEqual([1, [1, 1]])
    expect(isDeepFrozen(result)).toBe(true)
    expect(result && 'value' in result).toBe(false)
    expect(JSON.stringify(result)).not.toContain('secret')
    // What a stage or an approver throws is not the model's; what a tool's own function throws may be.
    if (!OF_THE_TOOL.includes(hook))
      expect(JSON.stringify(result)).not.toMatch(/TypeError|Cannot read|by accessor|by throw/)
    expect(tool.runs()).toBe(BEFORE_BODY.includes(hook) ? 0 : 1)
  }
  // A rejection that nobody takes would end the process here.
  await settle()
}

/** Expects that the same answer is none of a fault at this hook. */
export async function succeeds(hook: Hook, answer: () => unknown): Promise<void> {
  const { registry, told } = create(hook, answer)
  const result = await registry.execute({ callId: '1', name: 'work' })
  expect(result).toMatchObject({ isError: false })
  expect(told()).toEqual([1, 1])
  expect(isDeepFrozen(result)).toBe(true)
}
