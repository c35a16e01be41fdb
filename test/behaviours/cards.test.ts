/**
 * Decided otherwise:
 * - CARD-04 cards `search`, `read` and `web` are among ours.
 * - CARD-09 where Toolgate itself presents, for an approver, a presenter's throw falls back to the generic card; who calls
 *   a presenter by hand contains it by hand.
 * The types of cards are pinned here by `satisfies`: a field that is renamed or lost does not compile.
 */
import {
  createToolRegistry,
  defineTool,
  type PresentableResult,
  type ToolCallView,
  type ToolKind,
  type ToolResultView,
} from 'toolgate'
import { describe, expect, it } from 'vitest'
import { countedTool } from '../support/tools.js'

const text = (value: string) => [{ type: 'text', text: value }] as const

/** The card that an approver of a call gets. */
async function askedCard(
  tool: ReturnType<typeof countedTool>,
  args: unknown,
): Promise<ToolCallView | undefined> {
  let card: ToolCallView | undefined
  const registry = createToolRegistry({
    tools: [tool],
    stages: [{ preExecute: () => ({ kind: 'ask' }) }],
    approve: request => {
      card = request.card
      return 'rejected'
    },
  })
  await registry.execute({ callId: '1', name: tool.name, arguments: args })
  expect(tool.runs()).toBe(0)
  return card
}

const CALL_CARDS = [
  { card: 'generic', title: 'Read a' },
  {
    card: 'generic',
    title: 'Read a',
    kind: 'read',
    rawInput: { path: 'a' },
    content: text('about to read'),
    locations: [{ path: 'a', line: 3 }, { path: 'b' }],
  },
  { card: 'terminal', title: 'npm test' },
  { card: 'terminal', title: 'npm test', description: 'Runs the tests', cwd: '/src' },
  { card: 'diff', title: 'Edit', diffs: [] },
  {
    card: 'diff',
    title: 'Edit',
    diffs: [
      { path: 'new', oldText: null, newText: 'b' },
      { path: 'old', oldText: 'a', newText: 'b' },
    ],
    locations: [{ path: 'old', line: 1 }],
  },
] as const satisfies readonly ToolCallView[]

const RESULT_CARDS = [
  { card: 'generic' },
  { card: 'generic', title: 'Read', content: text('x') },
  { card: 'terminal', title: 'npm test', output: 'ok', exitCode: 0 },
  { card: 'terminal', output: 'killed', signal: 'SIGKILL' },
  { card: 'diff', diffs: [{ path: 'a', oldText: null, newText: 'b' }] },
  { card: 'diff', title: 'Edited', diffs: [] },
] as const satisfies readonly ToolResultView[]

const MORE_RESULT_CARDS = [
  {
    card: 'search',
    shape: 'matches',
    matches: [{ path: 'a', lines: [{ line: 1, text: 'x' }] }],
    truncated: true,
    total: 9,
  },
  { card: 'search', shape: 'paths', paths: ['a', 'b'], truncated: false, total: 2 },
  { card: 'read', path: 'a', offset: 10, lines: ['x'], totalLines: 20, lang: 'ts', content: text('x') },
  {
    card: 'web',
    kind: 'search',
    sources: [{ title: 'A', url: 'https://a.example' }],
    answer: 'yes',
    truncated: false,
  },
  { card: 'web', kind: 'fetch', url: 'https://a.example', statusCode: 200, truncated: true },
] as const satisfies readonly ToolResultView[]

const KINDS = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'fetch',
  'other',
] as const satisfies readonly ToolKind[]
type EveryKind = ToolKind extends (typeof KINDS)[number] ? true : never

describe('the card of a call', () => {
  it('is the tool’s own, or a generic one with its title or name and the arguments (CARD-01)', async () => {
    const presentCall = ({ path }: { path: string }): ToolCallView => ({
      card: 'generic',
      title: `Read ${path}`,
    })
    expect(
      await askedCard(
        countedTool('read', () => 'x', { presentCall }),
        { path: 'a' },
      ),
    ).toEqual({
      card: 'generic',
      title: 'Read a',
    })
    const generic = { card: 'generic', title: 'read', rawInput: { path: 'a' } }
    expect(await askedCard(countedTool('read'), { path: 'a' })).toEqual(generic)
    const abstains = countedTool('read', () => 'x', { presentCall: () => undefined })
    expect(await askedCard(abstains, { path: 'a' })).toEqual(generic)
    const titled = countedTool('read', () => 'x', { title: 'Read a file' })
    expect(await askedCard(titled, {})).toEqual({ card: 'generic', title: 'Read a file', rawInput: {} })
  })

  it.each(CALL_CARDS)('reaches who shows it as the tool made it: %j (CARD-02, CARD-06)', async card => {
    expect(
      await askedCard(
        countedTool('work', () => 'x', { presentCall: () => card }),
        {},
      ),
    ).toEqual(card)
  })

  it.each(KINDS)('may be of the kind %s (CARD-05)', async kind => {
    const every: EveryKind = true
    expect(every).toBe(true)
    const card: ToolCallView = { card: 'generic', title: 'Work', kind }
    expect(
      await askedCard(
        countedTool('work', () => 'x', { presentCall: () => card }),
        {},
      ),
    ).toEqual(card)
  })

  it.each([
    ['throws', () => JSON.parse('{')],
    ['is asynchronous', async () => ({ card: 'generic', title: 'x' })],
    ['returns a text', () => 'card'],
    ['returns no card', () => ({ title: 'x' })],
    ['returns a lossy card', () => ({ card: 'generic', title: undefined })],
  ])(
    'of a presenter that %s is the generic one, and the call goes on (CARD-09)',
    async (_what, presentCall) => {
      const tool = countedTool('work', () => 'x', { presentCall: presentCall as never })
      expect(await askedCard(tool, { a: 1 })).toEqual({ card: 'generic', title: 'work', rawInput: { a: 1 } })
    },
  )

  it('of a presenter called by hand throws what the presenter throws (CARD-09)', () => {
    const tool = countedTool('work', () => 'x', { presentCall: () => JSON.parse('{') })
    const registered = createToolRegistry({ tools: [tool] }).get('work')
    expect(() => registered?.presentCall?.({})).toThrow(SyntaxError)
  })
})

describe('the card of a result', () => {
  it.each([...RESULT_CARDS, ...MORE_RESULT_CARDS])(
    'is what the tool makes of it: %j (CARD-03, CARD-04)',
    async card => {
      const tool = countedTool('work', () => 'x', { presentResult: () => card })
      const registry = createToolRegistry({ tools: [tool] })
      const result = await registry.execute({ callId: '1', name: 'work' })
      expect(registry.get('work')?.presentResult?.({}, result)).toEqual(card)
    },
  )

  it('is made of content, isError and meta; the value is no part of what it is given (CARD-08)', async () => {
    const given: PresentableResult[] = []
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      parameters: { a: { type: 'string' } },
      execute: () => ({ content: text('shown'), meta: { ms: 3 } }),
      presentResult: (args, result) => {
        given.push(result)
        return { card: 'generic', title: `${args.a} ${result.isError} ${JSON.stringify(result.meta)}` }
      },
    })
    const registry = createToolRegistry({ tools: [tool] })
    const { content, isError, meta } = await registry.execute({ callId: '1', name: 'work' })
    const presentable: PresentableResult = { content, isError, ...(meta && { meta }) }
    expect(registry.get('work')?.presentResult?.({ a: 'x' }, presentable)).toEqual({
      card: 'generic',
      title: 'x false {"ms":3}',
    })
    expect(given).toEqual([{ content: text('shown'), isError: false, meta: { ms: 3 } }])
    // @ts-expect-error a presenter that reads the value could not be replayed from a log
    expect(given[0]?.value).toBeUndefined()
  })
})

describe('presenters of defineTool', () => {
  it('abstain from arguments that are not the tool’s, as a log may hold them, and do not throw (CARD-07)', async () => {
    let presented = 0
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      parameters: { path: { type: 'string', required: true } },
      execute: () => 'x',
      presentCall: ({ path }) => (presented++, { card: 'generic', title: path.toUpperCase() }),
      presentResult: ({ path }) => (presented++, { card: 'generic', title: path.toUpperCase() }),
    })
    const registered = createToolRegistry({ tools: [tool] }).get('work')
    const result: PresentableResult = { content: [], isError: false }
    for (const args of [{}, { path: 5 }, null, 'a', [], undefined] as never[]) {
      expect(registered?.presentCall?.(args)).toBeUndefined()
      expect(registered?.presentResult?.(args, result)).toBeUndefined()
    }
    expect(presented).toBe(0)
    expect(registered?.presentCall?.({ path: 'a' })).toEqual({ card: 'generic', title: 'A' })
    expect(registered?.presentResult?.({ path: 'a' }, result)).toEqual({ card: 'generic', title: 'A' })
  })
})
