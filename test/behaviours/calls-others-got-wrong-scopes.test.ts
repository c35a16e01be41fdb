/**
 * Group P of the calls on which other libraries failed: scopes and sub-agents.
 */
import { createToolRegistry, type Stages, type ToolExecutionResult } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const codeOf = (result: ToolExecutionResult | undefined): string =>
  result === undefined ? 'none' : result.isError ? result.error.code : 'ok'

describe('scopes and sub-agents', () => {
  const setup = (more: object = {}) => {
    const tools = { read: countedTool('read'), bash: countedTool('bash') }
    const registry = createToolRegistry({
      tools: Object.values(tools),
      scopes: [
        { id: 'planner', restrict: { deny: ['bash'] } },
        { id: 'worker', parent: 'planner', ...more },
      ],
    })
    return { registry, ...tools }
  }

  it('a child of a scope that denies a tool cannot call it, however it tries (P1)', async () => {
    const { registry, bash } = setup({ mode: 'native', stages: [{ preExecute: () => ({ kind: 'allow' }) }] })
    const worker = registry.scope('worker')
    const grandchild = worker.createScope({ id: 'grandchild' })
    const again = { code: 'NOT_GRANTED' }
    expect(() => worker.register(bash)).toThrow(expect.objectContaining(again))
    expect(() => grandchild.register(countedTool('bash'))).toThrow(expect.objectContaining(again))
    expect(() => worker.createScope({ id: 'x', tools: [countedTool('bash')] })).toThrow(
      expect.objectContaining(again),
    )
    const codes: string[] = []
    for (const scope of [worker, grandchild]) {
      codes.push(codeOf(await scope.execute({ callId: '1', name: 'bash' })))
      codes.push(codeOf(await registry.execute({ callId: '1', name: 'bash', scope: scope.id })))
      codes.push(codeOf(await scope.execute({ callId: '1', name: 'bash', scope: 'root' })))
      codes.push(...(await scope.executeAll([{ callId: '1', name: 'bash' }])).map(codeOf))
    }
    expect(codes).toEqual(
      Array(2).fill(['UNKNOWN_TOOL', 'UNKNOWN_TOOL', 'UNKNOWN_SCOPE', 'UNKNOWN_TOOL']).flat(),
    )
    expect(bash.runs()).toBe(0)
  })

  it('a narrow coordinator can delegate by a grant that is written down and explained, and by none else (P3)', async () => {
    const registry = createToolRegistry({
      tools: [countedTool('plan'), countedTool('bash'), countedTool('read')],
      scopes: [
        { id: 'coordinator', restrict: { allow: ['plan'] } },
        { id: 'capped', parent: 'coordinator' },
        { id: 'worker', parent: 'coordinator', grants: ['bash'] },
      ],
    })
    const may = (scope: string) =>
      registry
        .scope(scope)
        .visible()
        .map(tool => tool.name)
    expect([may('coordinator'), may('capped'), may('worker')]).toEqual([['plan'], ['plan'], ['plan', 'bash']])
    expect(codeOf(await registry.execute({ callId: '1', name: 'bash', scope: 'worker' }))).toBe('ok')
    expect(codeOf(await registry.execute({ callId: '1', name: 'read', scope: 'worker' }))).toBe(
      'UNKNOWN_TOOL',
    )
    expect(codeOf(await registry.execute({ callId: '1', name: 'bash', scope: 'capped' }))).toBe(
      'UNKNOWN_TOOL',
    )
    expect(registry.scope('worker').explain('bash').text).toContain('granted')
  })

  it('what the model is shown is what may be called, in every scope, before and after changes (P4)', async () => {
    const { registry, bash } = setup()
    const asked: string[] = []
    const approval: Stages = { preExecute: () => ({ kind: 'ask' }) }
    const background = registry.scope('worker').createScope({
      id: 'background',
      stages: [approval],
      approve: ({ toolName }) => (asked.push(toolName), 'allowed-once'),
    })
    const consistent = async () => {
      for (const scope of [registry, registry.scope('planner'), registry.scope('worker'), background]) {
        const shown = scope.present().tools.map(tool => tool.name)
        expect(shown).toEqual(scope.visible().map(tool => tool.name))
        for (const name of registry.knownNames()) {
          const called = codeOf(await scope.execute({ callId: '1', name }))
          expect([scope.id, name, called]).toEqual([
            scope.id,
            name,
            shown.includes(name) ? 'ok' : 'UNKNOWN_TOOL',
          ])
        }
      }
    }
    await consistent()
    expect([bash.runs(), asked]).toEqual([1, ['read']])
    const undo = [
      registry.register(countedTool('late')),
      registry.scope('planner').restrict({ deny: ['read'] }),
      registry.scope('worker').register(countedTool('own')),
    ]
    await consistent()
    for (const registration of undo) registration()
    await consistent()
    expect(bash.runs()).toBe(3)
  })
})
