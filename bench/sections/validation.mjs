import { snapshotJson, validateArgs } from '../../dist/index.js'
import { CASES } from '../contestants/hand-written.mjs'
import { defineTool } from '../contestants/toolgate.mjs'
import { inTurn, summary } from '../measure.mjs'

const ROUNDS = 400
const SAMPLE_MS = 0.25
const WARM_UP_CALLS = 20_000
const COPIES = 8

/** Milliseconds for one call, of `count` in a row; the arguments are others each time. */
function timed(run, args, count) {
  const start = performance.now()
  for (let i = 0; i < count; i++) run(args[i % COPIES])
  return (performance.now() - start) / count
}

/** Times synchronous contestants in turns: what they do is shorter than an `await`. */
async function raceSync(contestants, args) {
  for (const { run } of contestants) timed(run, args, WARM_UP_CALLS)
  // What is made in the background while a schema is in use is there now.
  await new Promise(resolve => setTimeout(resolve, 100))
  const entries = contestants.map(contestant => {
    const once = timed(contestant.run, args, WARM_UP_CALLS)
    return { ...contestant, count: Math.max(1, Math.round(SAMPLE_MS / once)), times: [] }
  })
  for (let round = 0; round < ROUNDS; round++)
    for (const { run, count, times } of inTurn(entries, round)) times.push(timed(run, args, count))
  return entries.map(({ name, times, note }) => summary(name, times, note))
}

const freeze = value => {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) freeze(part)
  return Object.freeze(value)
}

function inACall({ name, spec, zod, check, make }) {
  const args = Array.from({ length: COPIES }, (_, i) => snapshotJson(make(i)))
  const tool = defineTool({
    name: 'tool',
    description: 'Does nothing',
    parameters: spec,
    execute: () => 'ok',
  })
  const body = args => {
    const violations = check(args)
    if (violations.length > 0) throw new Error(violations.join('\n'))
    return 'ok'
  }
  const parsed = args => {
    const { success, error } = zod.safeParse(args)
    if (!success) throw error
    return 'ok'
  }
  const contestants = [
    { name: 'toolgate', run: args => tool.execute(args, undefined) },
    { name: 'hand-written', run: body },
    { name: 'zod', run: parsed },
  ]
  return raceSync(contestants, args).then(lines => ({ name: `${name}, before a body`, lines }))
}

function alone({ name, spec, checkAnything, make }) {
  const args = Array.from({ length: COPIES }, (_, i) => make(i))
  const frozen = freeze(structuredClone(spec))
  const contestants = [
    { name: 'toolgate', run: args => validateArgs(frozen, args), note: 'a frozen spec' },
    {
      name: 'toolgate, spec not frozen',
      run: args => validateArgs(spec, args),
      note: 'looks each time whether it has changed',
    },
    { name: 'hand-written', run: checkAnything },
  ]
  return raceSync(contestants, args).then(lines => ({ name: `${name}, \`validateArgs\``, lines }))
}

export default async function validation() {
  const cases = []
  for (const each of CASES) cases.push(await inACall(each))
  for (const each of CASES) cases.push(await alone(each))
  return {
    title: 'Validation by the schema language',
    text:
      'Valid arguments. Before a body: what `execute` of a defined tool adds to a body that does nothing, given the frozen arguments ' +
      'that the pipeline gives it; by hand, the same check as one would write it, listing what is wrong. `validateArgs` takes any value ' +
      'and finds what JSON cannot carry too (hidden properties, class instances, holes, -0), and so does what is written by hand for it.',
    cases,
  }
}
