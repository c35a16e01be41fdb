import { readFileSync } from 'node:fs'
import { createToolRegistry } from 'toolgate'
import { type CodeFailureKind, quickJsRuntime } from 'toolgate/quickjs'
import { typescriptChecker } from 'toolgate/typecheck'
import { describe, expect, it } from 'vitest'
import { ABSENT, OWN_GLOBALS, STAND_INS } from '../../src/sandbox/quickjs/guest/names.js'
import { resolveLimits } from '../../src/sandbox/quickjs/limits.js'
import { countedTool } from '../support/tools.js'

const page = readFileSync(new URL('../../docs/code-mode.md', import.meta.url), 'utf8')
const section = (title: string): string => page.split(/^## /m).find(part => part.startsWith(title)) ?? ''
const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string)
/** Cells of the rows of a table, without its heading. */
const rows = (text: string): string[][] =>
  [...text.matchAll(/^\| (.*) \|$/gm)]
    .map(([, row]) => (row as string).split(' | '))
    .filter(([first]) => first?.startsWith('`'))

const registry = createToolRegistry({
  mode: 'code',
  codeRuntime: quickJsRuntime({ limits: { cpuMs: 20_000 } }),
  tools: [countedTool('list_issues', () => 'none')],
})
async function result(code: string): Promise<unknown> {
  const ended = await registry.execute({
    callId: '1',
    name: 'run_code',
    arguments: { code, description: 'Look' },
  })
  if (ended.isError) throw new Error(ended.error.message)
  return (ended.value as { result?: unknown }).result
}

describe('docs/code-mode.md', () => {
  const names = rows(section('What exists')).flatMap(([first = '']) => quoted(first))

  it('lists every global there is', () => {
    const own = OWN_GLOBALS.replace(' (en-US)', '').split(', ')
    expect(names.toSorted()).toEqual(
      [...new Set([...own, 'tools', 'catalog', 'ToolCallError', 'DOMException'])].toSorted(),
    )
  })

  it('lists no global that is not there', async () => {
    const types = await result(`return ${JSON.stringify(names)}.map(name => eval('typeof ' + name))`)
    expect(types).not.toContain('undefined')
  })

  it('lists the members of Intl and console that there are', async () => {
    const row = (name: string): string[] =>
      quoted(rows(section('What exists')).find(([first]) => first === `\`${name}\``)?.[1] ?? '')
    expect(row('Intl').toSorted()).toEqual(
      ((await result('return Object.getOwnPropertyNames(Intl)')) as string[]).toSorted(),
    )
    expect(row('console')).toEqual(await result('return Object.keys(console)'))
  })

  it('has the language that it promises', async () => {
    expect(
      await result(
        'return [typeof Object.groupBy, typeof new Set().union, typeof [].values().map, typeof Promise.withResolvers, typeof Array.fromAsync]',
      ),
    ).toEqual(Array(5).fill('function'))
  })

  it('lists what does not exist, by how it fails', () => {
    const [, first = '', second = ''] = section('What does not exist').split(/\n\n(?=`)/)
    expect(quoted(first.split('\n')[0] as string)).toEqual(Object.keys(STAND_INS))
    expect(quoted(second)).toEqual([...ABSENT])
  })

  it('has every limit with its default', () => {
    const table = rows(section('Limits').split('| other kinds')[0] as string)
    const told = Object.fromEntries(table.map(([name = '', value = '']) => [quoted(name)[0], Number(value)]))
    expect(told).toEqual(resolveLimits())
  })

  it('has every kind of failure and no other', () => {
    const kinds = {
      syntax: 1,
      'source-limit': 1,
      exception: 1,
      'type-error': 1,
      'timeout-cpu': 1,
      'timeout-wall': 1,
      memory: 1,
      stack: 1,
      'output-limit': 1,
      'call-limit': 1,
      'invalid-output': 1,
      deadlock: 1,
      abort: 1,
      crash: 1,
    } satisfies Record<CodeFailureKind, 1>
    const [limits = '', others = ''] = section('Limits').split('| other kinds')
    const told = [
      ...rows(limits).flatMap(cells => quoted(cells[2] ?? '')),
      ...rows(others).flatMap(([first = '']) => quoted(first)),
    ]
    expect(told.toSorted()).toEqual(Object.keys(kinds).toSorted())
  })

  it('gives no timers beyond those that it says', async () => {
    const program = `let made = 0
try { for (; made < 2000; made++) setTimeout(() => {}, 1) } catch {}
return made`
    expect(await result(program)).toBe(1000)
  })

  it('names the time zone, the locale and the end of the changes of clocks rightly', async () => {
    expect(
      await result(
        `const inZone = year => new Date(Date.UTC(year, 6, 1)).toLocaleTimeString('en-US', { timeZone: 'America/New_York' })
return [new Date(0).getTimezoneOffset(), (1234.5).toLocaleString('de-DE'), inZone(2037)]`,
      ),
    ).toEqual([0, '1,234.5', '8:00:00 PM'])
  })

  it('says rightly when a check refuses', async () => {
    const tool = countedTool('list_issues')
    const checked = createToolRegistry({
      mode: 'code',
      codeRuntime: quickJsRuntime(),
      codeMode: { check: typescriptChecker() },
      tools: [tool],
    })
    const ended = await checked.execute({
      callId: '1',
      name: 'run_code',
      arguments: { code: 'await tools.list_issues({}); return tools.nothing({})', description: 'Look' },
    })
    expect(ended).toMatchObject({ isError: true, error: { details: { kind: 'type-error' } } })
    expect(tool.runs()).toBe(0)
  })
})
