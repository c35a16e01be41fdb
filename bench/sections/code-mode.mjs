import { raceAll } from '../measure.mjs'

const FRESH = {
  toolgate: async () => (await import('../contestants/toolgate-code.mjs')).createToolgate(),
  'toolgate, runtime alone': async () =>
    (await import('../contestants/toolgate-code.mjs')).createToolgateRuntime(),
  run: async () => (await import('../contestants/run.mjs')).createRun(),
  '@executor-js/runtime-quickjs': async () => (await import('../contestants/executor.mjs')).createExecutor(),
}

const PROGRAMS = [
  ['`return 1`', 'return 1', 1],
  [
    'ten awaited calls',
    'let sum = 0\nfor (let i = 0; i < 10; i++) sum += await tools.add({ a: i, b: 1 })\nreturn sum',
    55,
  ],
  [
    'fifty calls at once',
    'const sums = await Promise.all(Array.from({ length: 50 }, (_, i) => tools.add({ a: i, b: 1 })))\nreturn sums.reduce((a, b) => a + b)',
    1275,
  ],
  [
    'a 1 MB string through a tool',
    'const text = await tools.echo({ text: "x".repeat(1e6) })\nreturn text.length',
    1e6,
  ],
]

const NOTES = {
  toolgate: '`run_code` and each call through the whole pipeline, validated',
  'toolgate, runtime alone': '`quickJsRuntime().run` with plain functions, as the peers have them',
  run: 'a pool of worker threads',
}

export default async function codeMode() {
  const cases = []
  for (const [i, [name, program, expected]] of PROGRAMS.entries()) {
    const candidates = Object.entries(FRESH).map(([contestant, make]) => [
      contestant,
      async () => {
        const execute = await make()
        const run = async () => {
          const value = await execute(program)
          if (value !== expected) throw new Error(`${contestant}: expected ${expected}, got ${value}`)
        }
        return { run, note: i === 0 ? NOTES[contestant] : undefined }
      },
    ])
    // One program makes one sample: what matters is also how far the slowest are off.
    cases.push({
      name,
      lines: await raceAll(candidates, { rounds: 200, sampleMs: 0, warmUpMs: 1000, maxMs: 30_000 }),
    })
  }
  return {
    title: 'Code Mode, warm',
    text: 'Each program starts from a fresh state. JavaScript without types, since `run` strips types on Node 20 only with `typescript` installed. A sample is one program.',
    cases,
  }
}
