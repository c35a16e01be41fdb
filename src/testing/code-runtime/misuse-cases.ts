import { expectEqual, expectRows } from '../expect.js'
import { type Bench, type BenchCase, toolsOf } from './bench.js'

const tools = toolsOf({ a: () => 1 })

const WRONG: readonly (readonly [string, unknown])[] = [
  ['no request', undefined],
  ['a program that is no text', { program: 1, namespaces: [] }],
  ['namespaces that are no list', { program: 'return 1', namespaces: {} }],
  ['a signal that is none', { program: 'return 1', namespaces: [], signal: {} }],
  ['an onLog that is no function', { program: 'return 1', namespaces: [], onLog: 1 }],
  ['a namespace without call', { program: 'return 1', namespaces: [{ global: 'x', functions: [] }] }],
  ['functions that are no names', { program: 'return 1', namespaces: [{ ...tools, functions: [1] }] }],
  ['two namespaces of one name', { program: 'return 1', namespaces: [tools, tools] }],
  [
    'an error class named like a namespace',
    { program: 'return 1', namespaces: [{ ...tools, errorClass: 'tools' }] },
  ],
  ...['no-dash', 'class', 'console', '', '1a', 'Promise', 'globalThis'].map(
    global =>
      [
        `a namespace called "${global}"`,
        { program: 'return 1', namespaces: [{ ...tools, global }] },
      ] as const,
  ),
]

async function rejectsAll({ runtime, returned }: Bench): Promise<void> {
  await expectRows(WRONG, async ([, request]) => {
    const ended = await (async () => runtime.run(request as never))().then(
      () => 'an outcome',
      () => 'a rejection',
    )
    expectEqual(ended, 'a rejection', 'misuse')
  })
  expectEqual(await returned('return 7'), 7, 'a run afterwards')
}

/** What the host must not ask. */
export const MISUSE_CASES: readonly BenchCase[] = [
  ['run rejects for a request that no program can be run from, and goes on', rejectsAll],
]
