import { readFileSync } from 'node:fs'
import { defaultValidator } from '../../src/schema/default-validator.js'

// Run where code generation is refused: counts the calls of the data set that satisfy their schemas.

function codeGeneration(): string {
  try {
    return String(new Function('return "allowed"')())
  } catch {
    return 'refused'
  }
}

const validator = defaultValidator()
let valid = 0
let invalid = 0
const lines = readFileSync(new URL('../data/bfcl-cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
for (const line of lines) {
  const { tools, calls } = JSON.parse(line)
  for (const call of calls) {
    const { parameters } = tools.find((tool: { name: string }) => tool.name === call.name)
    const violations = await validator.compile(parameters, 'arguments')(call.arguments)
    if (violations.length === 0) valid++
    else invalid++
  }
}
const again = validator.compile({ type: 'object', required: ['path'] }, 'arguments')({})
console.log(JSON.stringify({ codeGeneration: codeGeneration(), valid, invalid, again }))
