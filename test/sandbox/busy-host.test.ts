import { MessageChannel } from 'node:worker_threads'
import type { CodeCall } from 'toolgate/quickjs'
import { quickJsWorkerRuntime, type WorkerLike } from 'toolgate/quickjs-worker'
import { afterEach, describe, expect, test } from 'vitest'
import { gate, toolsOf } from './support/run-code.js'

const open: ReturnType<typeof quickJsWorkerRuntime>[] = []
type Options = Parameters<typeof quickJsWorkerRuntime>[0]
type Message = readonly [kind: string, run: number, ...rest: unknown[]]

function workerRuntime(options: Options = {}): ReturnType<typeof quickJsWorkerRuntime> {
  const runtime = quickJsWorkerRuntime(options)
  open.push(runtime)
  return runtime
}

/** Keeps the host busy after this, so that its timers are due before it reads what has come meanwhile. */
function whileBusy(ms: number, work: () => void): void {
  setImmediate(() => {
    work()
    const until = performance.now() + ms
    while (performance.now() < until);
  })
}

interface Played {
  say(...message: unknown[]): void
  fail(error: Error): void
}

/** A worker played in the host's own thread: what it says lies in the port at once, whatever the host does then. */
function played(hear: (message: Message, worker: Played) => void): () => WorkerLike {
  return () => {
    const { port1, port2 } = new MessageChannel()
    let onError: (error: Error) => void = () => {}
    const worker: Played = { say: (...message) => port2.postMessage(message), fail: error => onError(error) }
    return {
      on(event, listener) {
        if (event === 'message') port1.on('message', listener)
        if (event === 'error') onError = listener
      },
      postMessage(message) {
        const told = message as Message
        if (told[0] === 'init') worker.say('ready')
        else if (told[0] === 'ping') worker.say('pong')
        else hear(told, worker)
      },
      terminate: () => port2.close(),
    }
  }
}

const outcome = (parts: object): string => JSON.stringify({ logs: ['said'], ...parts })
const ABORTED = { error: { kind: 'abort', message: 'It was told to end.' } }
const LINES = '[["log","said"]]'

afterEach(async () => {
  await Promise.all(open.splice(0).map(runtime => runtime.dispose?.()))
})

describe('what a worker has said is heard before it is judged, however busy the host is', () => {
  test('its outcome, before the wall clock', async () => {
    const worker = played(([kind, run], { say }) => {
      if (kind === 'run') whileBusy(500, () => say('outcome', run, outcome({ value: 7 })))
    })
    const { value, error } = await workerRuntime({ worker, limits: { wallMs: 100 } }).run({
      program: 'return 7',
      namespaces: [],
    })
    expect([value, error]).toEqual([7, undefined])
  })

  test.each([
    ['its lines, the answers taken and its outcome, before the end of an abort', true],
    ['its lines and the answers taken, of one that does not answer an abort', false],
  ])('%s', async (_what, answers) => {
    const controller = new AbortController()
    let taken = 0
    const note = (call: CodeCall): number => {
      call.onTaken?.(() => (taken += 1))
      return 1
    }
    const worker = played(([kind, run], { say }) => {
      if (kind === 'run') say('call', run, 1, 0, '["note",[]]')
      if (kind === 'reply')
        whileBusy(400, () => {
          say('taken', run, '[1]')
          say('lines', run, LINES)
          controller.abort(new Error('enough'))
        })
      if (kind === 'abort' && answers) say('outcome', run, outcome(ABORTED))
    })
    const { error, logs } = await workerRuntime({ worker }).run({
      program: '',
      namespaces: [toolsOf({ note })],
      signal: controller.signal,
    })
    expect([error?.kind, error?.message.includes('told to end'), logs, taken]).toEqual([
      'abort',
      answers,
      ['said'],
      1,
    ])
  })

  test('its lines, before the fault that it ends with', async () => {
    const worker = played(([kind, run], { say, fail }) => {
      if (kind !== 'run') return
      say('lines', run, LINES)
      fail(new Error('broken'))
    })
    const { error, logs } = await workerRuntime({ worker }).run({ program: '', namespaces: [] })
    expect([error?.kind, logs]).toEqual(['crash', ['said']])
  })

  test('its calls, which do not begin once the run is aborted, and are told', async () => {
    const controller = new AbortController()
    let ran = 0
    const worker = played(([kind, run], { say }) => {
      if (kind !== 'run') return
      for (const id of [1, 2]) say('call', run, id, 0, '["pay",[]]')
      controller.abort(new Error('enough'))
    })
    const { error, notRun } = await workerRuntime({ worker }).run({
      program: '',
      namespaces: [toolsOf({ pay: () => (ran += 1) })],
      signal: controller.signal,
    })
    expect([error?.kind, notRun, ran]).toEqual(['abort', ['pay', 'pay'], 0])
  })
})

test('Of calls that a worker has told and was ended in the middle of sending out, all are told', async () => {
  const controller = new AbortController()
  const worker = played(([kind, run], { say }) => {
    if (kind !== 'run') return
    say('waiting', run, '["a","b"]')
    say('waiting', run, '["c"]')
    controller.abort(new Error('enough'))
    say('call', run, 1, 0, '["a",[]]')
  })
  const { notRun } = await workerRuntime({ worker }).run({
    program: '',
    namespaces: [toolsOf({ a: () => 1, b: () => 1, c: () => 1 })],
    signal: controller.signal,
  })
  expect(notRun).toEqual(['a', 'b', 'c'])
})

test('A worker that computes is ended before one that is about to say how it has ended', async () => {
  const controller = new AbortController()
  const order: string[] = []
  let beat: ReturnType<typeof setInterval> | undefined
  const run = async (name: string): Promise<string | undefined> => {
    const worker = played(([kind, id], { say }) => {
      if (kind === 'run' && name === 'computing') beat = setInterval(() => say('computing', id), 10)
    })
    const request = { program: '', namespaces: [], signal: controller.signal }
    const { error } = await workerRuntime({ worker }).run(request)
    order.push(name)
    return error?.kind
  }
  const runs = [run('silent'), run('computing')]
  await new Promise(done => setTimeout(done, 20))
  controller.abort(new Error('enough'))
  const kinds = await Promise.all(runs)
  clearInterval(beat)
  expect([kinds, order]).toEqual([
    ['abort', 'abort'],
    ['computing', 'silent'],
  ])
})

test('The wall clock stands still for a human who is asked while a program computes', async () => {
  const runtime = workerRuntime({ limits: { wallMs: 400, cpuMs: 60_000 } })
  await runtime.run({ program: 'return 1', namespaces: [] })
  const asked = gate<CodeCall>()
  const answered = gate<string>()
  let release = (): void => {}
  const onLog = async ({ text }: { readonly text: string }): Promise<void> => {
    if (text === 'begun') release = (await asked.opened).pauseWallClock()
    if (text === 'computed')
      setTimeout(() => {
        release()
        answered.open('written')
      }, 50)
  }
  const write = (call: CodeCall): Promise<string> => {
    asked.open(call)
    return answered.opened
  }
  const program = `const written = tools.write()
await tools.look()
console.log('begun')
for (const until = Date.now() + 900; Date.now() < until;);
console.log('computed')
return await written`
  const { value, error } = await runtime.run({
    program,
    namespaces: [toolsOf({ write, look: () => 1 })],
    onLog: log => void onLog(log),
  })
  expect([value, error]).toEqual(['written', undefined])
})

test('Of a program that is ended while it computes, no line is told before the calls made until then', async () => {
  const runtime = workerRuntime({ limits: { cpuMs: 60_000 } })
  for (const last of [3, 5, 8, 12]) {
    const controller = new AbortController()
    const { error, logs, notRun } = await runtime.run({
      program: `for (let i = 1; ; i++) {
  tools.pay()
  for (const until = performance.now() + 3; performance.now() < until;);
  console.log(i)
}`,
      namespaces: [toolsOf({ pay: () => 1 })],
      signal: controller.signal,
      onLog: ({ text }) => {
        if (text === `${last}`) controller.abort(new Error('enough'))
      },
    })
    expect(error?.kind).toBe('abort')
    expect(notRun?.length).toBeGreaterThanOrEqual(logs.length)
  }
})
