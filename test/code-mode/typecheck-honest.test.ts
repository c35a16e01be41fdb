import { createToolRegistry } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { typescriptChecker } from 'toolgate/typecheck'
import { describe, expect, it } from 'vitest'
import { HONEST_PROGRAMS } from './support/honest-programs.js'
import { honestTools } from './support/honest-tools.js'

const checker = typescriptChecker()
const registry = (codeMode: object) =>
  createToolRegistry({ mode: 'code', tools: honestTools(), codeRuntime: quickJsRuntime(), codeMode })
const plain = registry({})
const checked = registry({ check: checker })
const run = (on: typeof plain, code: string) =>
  on.execute({ callId: '1', name: 'run_code', arguments: { code, description: 'Do it' } })

describe('a program that works without a check works with it', () => {
  it.each(HONEST_PROGRAMS)('%s', async (program, value) => {
    const expected = { isError: false, value: { result: value } }
    expect(await run(plain, program)).toMatchObject(expected)
    expect(await run(checked, program)).toMatchObject(expected)
  })
})
