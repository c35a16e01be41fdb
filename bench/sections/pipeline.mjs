import * as dsh from '../contestants/dsh-tools.mjs'
import { caller, createToolRegistry, noopWithValue } from '../contestants/toolgate.mjs'
import { raceAll } from '../measure.mjs'

let observed = 0

const stages = [
  { preExecute: (_call, next) => next() },
  { guard: () => undefined },
  { execute: (_call, next) => next() },
  { postExecute: (_call, _result, next) => next() },
]
const observer = {
  onResult: () => {
    observed++
  },
}

async function toolgate() {
  const registry = createToolRegistry({ tools: [noopWithValue('noop')], stages: [...stages, observer] })
  return {
    run: caller(registry, 'noop'),
    note: '`preExecute`, `guard`, `execute`, `postExecute`, `onResult`',
  }
}

async function dshTools() {
  const root = await dsh.createRuntime([dsh.noop('noop')])
  root.on('tools/pre-execute', (_call, next) => next())
  root.tools.guard(() => undefined)
  root.on('tools/execute', (_call, next) => next())
  root.on('tools/post-execute', (_call, _result, next) => next())
  root.on('tools/result', () => {
    observed++
  })
  return {
    run: dsh.caller(root, 'noop'),
    note: 'its `pre-execute`, guard, `execute`, `post-execute`, `result`',
  }
}

export default async function pipeline() {
  const lines = await raceAll([
    ['toolgate', toolgate],
    ['@deepseek-ai/dsh-tools', dshTools],
  ])
  if (observed === 0) throw new Error('the observers saw nothing')
  return {
    title: 'Full pipeline',
    text: 'A validated call of a tool that does nothing, its value checked against an output schema, through four stages that pass everything on and one observer. No other peer has such stages.',
    cases: [{ name: 'four stages and an observer', lines }],
  }
}
