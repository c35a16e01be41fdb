import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { canGenerateCode } from '../../../src/schema/code-generation.js'
import { ALL_CASES } from './all-cases.js'
import { DRAFT_CASES } from './draft-cases.js'
import { MESSAGE_CASES } from './message-cases.js'
import { REFERENCE_CASES } from './reference-cases.js'
import { expected, type JudgedCase, judge, type SchemaCase } from './schema-case.js'

const program = fileURLToPath(new URL('./cases-child.ts', import.meta.url))
let interpreted: ReadonlyMap<SchemaCase, JudgedCase>

beforeAll(async () => {
  const flags = ['--disallow-code-generation-from-strings', '--import', 'tsx']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program], { maxBuffer: 2 ** 24 })
  const child = JSON.parse(stdout) as { canGenerateCode: boolean; judged: JudgedCase[] }
  expect([canGenerateCode(), child.canGenerateCode]).toEqual([true, false])
  interpreted = new Map(ALL_CASES.map((schemaCase, i) => [schemaCase, child.judged[i] as JudgedCase]))
})

async function holds(schemaCase: SchemaCase): Promise<void> {
  const wanted = expected(schemaCase)
  expect({ by: 'Ajv', ...(await judge(schemaCase)) }).toEqual({ by: 'Ajv', ...wanted })
  expect({ by: 'the interpreter', ...interpreted.get(schemaCase) }).toEqual({
    by: 'the interpreter',
    ...wanted,
  })
}

describe('with either validator', () => {
  test.each(DRAFT_CASES)('$what', holds)
  test.each(REFERENCE_CASES)('references $what', holds)
  test.each(MESSAGE_CASES)('says in the same words: $what', holds)
})
