import { createRedactor, createToolRegistry, defineTool, redact } from 'toolgate'

// Put together here, so that nobody takes this file for a leak.
const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

const readFile = defineTool({
  name: 'read_file',
  description: 'Reads a file.',
  parameters: {},
  execute: (_args, { progress }) => {
    progress({ message: `reads with ${token}` })
    return `DB_PASSWORD=correcthorse\nORDER=4711\n{"deploy": "${token}", "case": "C-1234"}`
  },
})

const options = {
  // Beside what is known by its shape or its name:
  patterns: [/"case": "(?<secret>[^"]+)"/],
  secrets: () => [process.env.MY_SECRET ?? 'not-set-here'],
}
const redactor = createRedactor(options)
const registry = createToolRegistry({ tools: [readFile], stages: [redact(options)] })
registry.on('progress', ({ message = '' }) => console.log(redactor.text(message).value))

const result = await registry.execute({ callId: '1', name: 'read_file' })
console.log(result.isError ? result.error.message : result.value)
console.log(result.meta)
