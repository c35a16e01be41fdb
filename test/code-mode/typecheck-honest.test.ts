import { type CodeChecker, createToolRegistry } from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { typescriptChecker } from 'toolgate/typecheck'
import { describe, expect, it } from 'vitest'
import { honestTools } from './support/honest-tools.js'
import { honestPrograms } from './support/program-files.js'

interface Terms {
  readonly check?: CodeChecker
  readonly coerceArguments?: boolean
}

const runs = ({ check, coerceArguments = false }: Terms) => {
  const registry = createToolRegistry({
    mode: 'code',
    tools: honestTools(),
    coerceArguments,
    codeRuntime: quickJsRuntime(),
    codeMode: { check },
  })
  return (code: string) =>
    registry.execute({ callId: '1', name: 'run_code', arguments: { code, description: 'Do it' } })
}

const check = typescriptChecker()

describe('a program that works without a check does the same with it', () => {
  const [plain, checked] = [runs({}), runs({ check })]

  it.each(honestPrograms)('%s', async program => {
    const result = await plain(program)
    if (result.isError) expect.fail(result.error.message)
    expect(await checked(program)).toMatchObject({ isError: false, value: result.value })
  })
})

describe('what a tool takes by coerceArguments', () => {
  const [strict, mended] = [runs({ check }), runs({ check, coerceArguments: true })]
  const refused = { isError: true, error: { details: { kind: 'type-error' } } }

  it.each<[string, string, unknown]>([
    ['null for an optional property', 'return (await tools.get({ id: 1, opt: null })).name', 'n1'],
    ['null that a variable brings', 'const opt = null; return (await tools.get({ id: 1, opt })).name', 'n1'],
    [
      'null within a variable',
      'const args = { id: 1, opt: null }; return (await tools.get(args)).name',
      'n1',
    ],
    ['JSON text for an object', `return await tools.save({ note: '{"a":1}' })`, '{"a":1}'],
    ['text for an object', 'const t = "{"; return await tools.save({ note: t.concat("}") })', '{}'],
    ['JSON text for all arguments', `return (await tools.get('{"id":1}')).name`, 'n1'],
  ])('%s is refused only where it is not taken', async (_what, program, value) => {
    expect(await mended(program)).toMatchObject({ isError: false, value: { result: value } })
    expect(await strict(program)).toMatchObject(refused)
  })

  it.each([
    ['null for a required property', 'return await tools.get({ id: null })'],
    ['text that is no JSON of an object', 'return await tools.save({ note: "5" })'],
    ['text for a number', 'return await tools.get({ id: "1" })'],
  ])('%s is refused all the same', async (_what, program) => {
    expect(await mended(program)).toMatchObject(refused)
  })

  it('a tool’s own word goes before the registry’s', async () => {
    const [tool] = honestTools()
    const registry = createToolRegistry({
      mode: 'code',
      tools: [{ ...(tool as object), coerceArguments: true } as never],
      codeRuntime: quickJsRuntime(),
      codeMode: { check },
    })
    const code = 'return (await tools.get({ id: 1, opt: null })).id'
    const args = { code, description: 'Do it' }
    expect(await registry.execute({ callId: '1', name: 'run_code', arguments: args })).toMatchObject({
      value: { result: 1 },
    })
  })
})
