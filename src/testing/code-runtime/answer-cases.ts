import type { CodeCall, CodeLog } from '../../sandbox/code-runtime.js'
import { expectEqual, expectThat } from '../expect.js'
import { gate } from '../gate.js'
import { type BenchCase, soon } from './bench.js'

/** Long enough for a host that is free to be heard meanwhile. */
const COMPUTE = `console.log('computing')
for (const end = Date.now() + 400; Date.now() < end; );
console.log('computed', taken)`

const ANSWER_UNITS = 256 * 1024
const ROOM = 16
const ANSWERS = 128
const LITTLE_MEMORY = { memoryBytes: ROOM * ANSWER_UNITS }

/** Counts how often each call is told that its answer has reached the program. Calls of runtimes that do not tell are missing. */
function takenCounts(): {
  readonly counts: { [name: string]: number }
  readonly watch: (call: CodeCall) => void
} {
  const counts: { [name: string]: number } = {}
  return {
    counts,
    watch(call) {
      if (call.onTaken === undefined) return
      const { name } = call
      counts[name] = 0
      call.onTaken(() => {
        counts[name] = (counts[name] ?? 0) + 1
      })
    },
  }
}

/** Large answers, from when the program computes on: one call after the other, each when there is room for it. */
function largeAnswers(): {
  readonly big: (call: CodeCall) => Promise<string>
  readonly waits: Promise<void>[]
  readonly answered: () => number
  readonly onLog: (log: CodeLog) => void
} {
  const waits: Promise<void>[] = []
  let answered = 0
  const computing = gate()
  let last: Promise<unknown> = computing.opened
  return {
    waits,
    answered: () => answered,
    onLog: ({ text }) => text === 'computing' && computing.open(),
    big(call) {
      const mine = last.then(async () => {
        const room = call.untilTaken?.()
        if (room !== undefined) waits.push(room)
        await room
        answered += 1
        return 'x'.repeat(ANSWER_UNITS)
      })
      last = mine.catch(() => {})
      return mine
    },
  }
}

/** What becomes of answers: whether the program has got them, and what those that it has not got take. */
export const ANSWER_CASES: readonly BenchCase[] = [
  [
    'an answer that reaches the program is told as taken, once, before the run has settled',
    async ({ run }) => {
      const { counts, watch } = takenCounts()
      const answer = (call: CodeCall): string => {
        watch(call)
        if (call.name === 'bad') throw new Error('no')
        return call.name
      }
      const functions = { a: answer, bad: answer, last: answer }
      const program = 'await tools.a(); await tools.bad().catch(() => {}); return await tools.last()'
      const { value } = await run(program, { functions })
      expectEqual(value, 'last', 'value')
      const told = Object.keys(counts).length > 0
      expectEqual(counts, told ? { a: 1, bad: 1, last: 1 } : {}, 'how often each was told')
    },
  ],
  [
    'an answer that the program ended without is not told as taken, and comes after the end where nothing tells',
    async ({ run }) => {
      const { counts, watch } = takenCounts()
      const computing = gate()
      const answered = gate<boolean>()
      const late = async (call: CodeCall): Promise<number> => {
        watch(call)
        await computing.opened
        // In a turn of its own: one that a program which computes in threads of its own leaves the host.
        await new Promise(done => setTimeout(done, 0))
        answered.open(!call.signal.aborted)
        return 1
      }
      const program = `const taken = 0
tools.late().then(() => console.log('got it')); await tools.ping()
${COMPUTE}
return 1`
      const { logs } = await run(program, {
        functions: { late, ping: () => 1 },
        onLog: ({ text }) => text === 'computing' && computing.open(),
      })
      const cameBefore = await soon(answered.opened, 'the call had not been answered')
      await new Promise(done => setTimeout(done, 10))
      const isTaken = counts.late === undefined ? cameBefore : counts.late > 0
      expectEqual(isTaken, logs.includes('got it'), 'taken')
    },
  ],
  [
    'answers that the program does not take fill no more than about its memory before calls are held back',
    async ({ run }) => {
      const { big, answered, onLog } = largeAnswers()
      let left = 0
      const program = `let units = 0, taken = 0
const calls = Array.from({ length: ${ANSWERS} }, () => tools.big().then(text => { units += text.length; taken += 1 }))
await tools.ping()
${COMPUTE}
await Promise.all(calls)
return units`
      const { value } = await run(program, {
        functions: { big, ping: () => 1 },
        onLog(log) {
          onLog(log)
          const { text } = log
          if (text.startsWith('computed')) left = answered() - Number(text.split(' ')[1])
        },
      })
      expectEqual(value, ANSWERS * ANSWER_UNITS, 'characters that the program got')
      expectThat(
        left <= 2 * ROOM,
        `the program had not taken ${left} answers, of which ${ROOM} fit into its memory`,
      )
    },
    LITTLE_MEMORY,
  ],
  [
    'what a call waits for settles at the end of the run at the latest, and never rejects',
    async ({ run }) => {
      const { big, waits, onLog } = largeAnswers()
      const calls: CodeCall[] = []
      const program = `const taken = 0
for (let i = 0; i < ${ANSWERS}; i++) tools.big().catch(() => {})
await tools.ping()
${COMPUTE}
return 1`
      const functions = {
        big(call: CodeCall): unknown {
          calls.push(call)
          return big(call)
        },
        ping: () => 1,
      }
      expectEqual((await run(program, { functions, onLog })).value, 1, 'value')
      const afterwards = calls.map(call => call.untilTaken?.())
      await soon(Promise.all([...waits, ...afterwards]), 'what calls wait for had not settled')
    },
    LITTLE_MEMORY,
  ],
]
