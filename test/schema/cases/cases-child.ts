import { canGenerateCode } from '../../../src/schema/code-generation.js'
import { ALL_CASES } from './all-cases.js'
import { judge } from './schema-case.js'

// Run where code generation is refused, so that the interpreter decides.
const judged = []
for (const schemaCase of ALL_CASES) judged.push(await judge(schemaCase))
console.log(JSON.stringify({ canGenerateCode: canGenerateCode(), judged }))
