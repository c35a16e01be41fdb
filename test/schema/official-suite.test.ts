import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runOfficialSuite } from './official-suite.js'
import { OFFICIAL_SUITE_FAILURES } from './official-suite-failures.js'

const program = fileURLToPath(new URL('./official-suite-child.ts', import.meta.url))

// Of 2510 tests 20 belong to groups that are refused however they are written.
const EXPECTED = { tests: 2490, failures: OFFICIAL_SUITE_FAILURES }

test('the official suite of draft-07 and 2020-12 says what Ajv says, with exceptions that are known one by one', async () => {
  expect(await runOfficialSuite()).toEqual(EXPECTED)
})

test('where code generation is refused the interpreter says the same of every test', async () => {
  const flags = ['--disallow-code-generation-from-strings', '--import', 'tsx']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program])
  expect(JSON.parse(stdout)).toEqual({ codeGeneration: 'refused', ...EXPECTED })
})
