import { createToolRegistry, defineTool, rememberApprovals, type Stages } from 'toolgate'

const runCommand = (where: string) =>
  defineTool({
    name: 'run_command',
    description: 'Runs a command.',
    parameters: { command: { type: 'string', required: true } },
    execute: ({ command }) => `${command}: done ${where}`,
  })
const askAlways: Stages = { name: 'ask-always', preExecute: () => ({ kind: 'ask' }) }

// The dialog has a third button: "allow for this session".
const approve = rememberApprovals(async ({ arguments: args, caller }) => {
  console.log(`? ${JSON.stringify(args)} for ${String(caller)}`)
  return 'allowed-for-session'
})

const registry = createToolRegistry({ stages: [askAlways], approve })
// Answers are kept by the tool's name. A tool that takes the name later must not inherit them, nor a scope its id.
registry.on('change', ({ kind, name, scope }) => {
  if (name !== undefined) approve.forget({ toolName: name })
  if (kind === 'created') approve.forget({ scope })
})
registry.on('approval:decided', ({ outcome, reason }) =>
  console.log(`  ${outcome}${reason ? `, ${reason}` : ''}`),
)

const run = async (command: string, caller: string) => {
  const result = await registry.execute({
    callId: command,
    name: 'run_command',
    arguments: { command },
    caller,
  })
  console.log(`  ${result.isError ? result.error.code : result.value}`)
}

const registration = registry.register(runCommand('on the host'))
await run('npm test', 'ada')
await run('npm test', 'ada')
console.log('Other arguments, then another caller:')
await run('npm publish', 'ada')
await run('npm test', 'bob')
console.log(`${approve.size} answers are kept; another tool takes the name.`)
registration()
registry.register(runCommand('in a container'))
console.log(`${approve.size} answers are kept.`)
await run('npm test', 'ada')
