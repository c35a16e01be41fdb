import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('./interpreted-child.ts', import.meta.url))

test('where code generation is refused the same calls are valid, and words stay the same', async () => {
  const flags = ['--disallow-code-generation-from-strings', '--import', 'tsx']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program])
  expect(JSON.parse(stdout)).toEqual({
    codeGeneration: 'refused',
    valid: 729,
    invalid: 44,
    again: [{ path: 'path', message: 'missing required property path' }],
  })
})
