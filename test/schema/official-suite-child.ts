import { canGenerateCode } from '../../src/schema/code-generation.js'
import { runOfficialSuite } from './official-suite.js'

// Run where code generation is refused, so that the interpreter decides.
const codeGeneration = canGenerateCode() ? 'allowed' : 'refused'
console.log(JSON.stringify({ codeGeneration, ...(await runOfficialSuite()) }))
