// The main job: an agent answers a question about this project's own sources, first with every tool at hand, then with one
// program. Without OPENAI_BASE_URL and OPENAI_API_KEY the model is a recording; the tools and their results are real.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createToolRegistry, type Stages } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { type AgentRun, type Model, runAgent } from './agent-loop.js'
import { openAiModel } from './support/openai-model.js'
import { projectTools } from './support/project-tools.js'
import { CODE_SCRIPT, NATIVE_SCRIPT, QUESTION, recordedModel } from './support/recorded-model.js'
import { printTable } from './support/table.js'
import { terminalApprover } from './support/terminal-approver.js'
import { printTimeline } from './support/timeline.js'

const project = fileURLToPath(new URL('..', import.meta.url))
const print = (line: string): void => console.log(line)

const askBeforeEdits: Stages = {
  name: 'ask-before-edits',
  preExecute: ({ name }, next) =>
    name === 'edit_file' ? { kind: 'ask', reason: 'it writes a file' } : next(),
}
const protectLockfile: Stages = {
  name: 'protect-lockfile',
  guard: ({ name, arguments: args }) =>
    name === 'edit_file' && (args as { path?: unknown }).path === 'package-lock.json'
      ? 'The lockfile is generated; run npm install instead of editing it'
      : undefined,
}

const {
  OPENAI_BASE_URL: baseUrl,
  OPENAI_API_KEY: apiKey,
  OPENAI_MODEL: modelName = 'gpt-4.1-mini',
} = process.env
const live = baseUrl !== undefined && apiKey !== undefined
const modelFor = (script: Parameters<typeof recordedModel>[0]): Model =>
  live ? openAiModel({ baseUrl, apiKey, model: modelName }) : recordedModel(script)

const interrupt = new AbortController()
process.once('SIGINT', () => {
  print('\nInterrupted: no new calls start; those that run are being stopped.')
  interrupt.abort(new Error('interrupted by the user'))
})

const root = await mkdtemp(join(tmpdir(), 'toolgate-demo-'))
const interactive =
  process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.CI === undefined
const registry = createToolRegistry({
  tools: projectTools(root),
  stages: [askBeforeEdits, protectLockfile],
  approve: terminalApprover({ interactive, otherwise: 'allowed-once', print }),
  codeRuntime: () => quickJsRuntime(),
  scopes: [{ id: 'native' }, { id: 'code', mode: 'code' }],
})

async function play(
  scope: 'native' | 'code',
  title: string,
  script: Parameters<typeof recordedModel>[0],
): Promise<AgentRun> {
  print(`\n${title}`)
  const run = await runAgent({
    registry,
    model: modelFor(script),
    scope,
    question: QUESTION,
    signal: interrupt.signal,
  })
  if (run.outcome === 'answered') print(`\n  ${run.answer.split('\n').join('\n  ')}`)
  return run
}

try {
  for (const entry of ['src', 'package-lock.json', 'README.md'])
    await cp(join(project, entry), join(root, entry), { recursive: true })
  print(`Question: ${QUESTION}`)
  print(
    `Model:    ${live ? `${modelName} at ${baseUrl}` : 'RECORDED (a script; set OPENAI_BASE_URL and OPENAI_API_KEY for a real one)'}`,
  )
  print(`Files:    a working copy of this project's sources in ${root}`)
  const stop = printTimeline(registry, print, process.stderr.isTTY === true)
  const native = await play('native', '1. Every tool at hand', NATIVE_SCRIPT)
  const code = await play('code', '2. One program', CODE_SCRIPT)
  stop()
  if (interrupt.signal.aborted) {
    for (const { name, isError, ...rest } of [...native.results, ...code.results])
      print(`  ${isError ? 'not done' : 'done'}: ${name} (${rest.callId})`)
    process.exitCode = 130
  } else {
    print('')
    printTable(print, native, code)
  }
} finally {
  await registry.dispose()
  await rm(root, { recursive: true, force: true })
}
