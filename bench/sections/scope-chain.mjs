import * as dsh from '../contestants/dsh-tools.mjs'
import { caller, createToolRegistry, noopWithValue } from '../contestants/toolgate.mjs'
import { raceAll } from '../measure.mjs'

const DEPTH = 30

const toolgate = (depth, guarded) => async () => {
  let scope = createToolRegistry({ tools: [noopWithValue('noop')] })
  for (let i = 1; i <= depth; i++) {
    scope = scope.createScope({ id: `s${i}`, tools: [noopWithValue(`own_${i}`)] })
    if (guarded) scope.guard(() => undefined)
  }
  return { run: caller(scope, 'noop') }
}

const dshTools = (depth, guarded) => async () => {
  const root = await dsh.createRuntime([dsh.noop('noop')])
  const agent = await dsh.createScopes(root, depth, (ctx, i) => {
    ctx.tools.register(dsh.noop(`own_${i}`))
    if (guarded) ctx.tools.guard(() => undefined)
  })
  return { run: dsh.caller(root, 'noop', agent && { agent }) }
}

export default async function scopeChain() {
  const cases = []
  for (const [name, depth, guarded] of [
    ['no scope', 0, false],
    ['30 scopes', DEPTH, false],
    ['30 scopes, a guard in each', DEPTH, true],
  ])
    cases.push({
      name,
      lines: await raceAll([
        ['toolgate', toolgate(depth, guarded)],
        ['@deepseek-ai/dsh-tools', dshTools(depth, guarded)],
      ]),
    })
  return {
    title: 'A chain of 30 scopes',
    text: 'A tool of the root, called from the innermost scope; each scope has one tool of its own. The other peers have no scopes.',
    cases,
  }
}
