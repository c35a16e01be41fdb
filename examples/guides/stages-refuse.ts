import { createToolRegistry, defineTool, type Stages } from 'toolgate'

const writeFile = defineTool({
  name: 'write_file',
  description: 'Writes a file.',
  parameters: { path: { type: 'string', required: true } },
  execute: ({ path }) => `Wrote ${path}`,
})

// A policy decides, and stages around it may still change what it said.
const officeHours: Stages = {
  name: 'office-hours',
  preExecute: (call, next) =>
    call.caller === 'intern' ? { kind: 'deny', reason: 'Interns may not write files' } : next(),
}

// A guard only refuses, and nothing after it can undo that. It answers at once: a reason, or undefined.
const protectKeys: Stages = {
  name: 'protect-keys',
  guard: ({ arguments: args }) =>
    JSON.stringify(args).includes('.env') ? 'Secrets stay as they are; ask the user to edit .env' : undefined,
}

const registry = createToolRegistry({ tools: [writeFile], stages: [officeHours, protectKeys] })
for (const [caller, path] of [
  ['ada', 'notes.md'],
  ['intern', 'notes.md'],
  ['ada', '.env'],
]) {
  const result = await registry.execute({
    callId: `${caller} ${path}`,
    name: 'write_file',
    arguments: { path },
    caller,
  })
  console.log(result.isError ? `${result.error.code}: ${result.error.message}` : result.value)
}
