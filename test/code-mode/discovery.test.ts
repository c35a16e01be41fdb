import {
  createToolRegistry,
  renderToolsSdk,
  type ToolDefinition,
  type ToolRegistry,
  type ToolScope,
} from 'toolgate'
import { quickJsRuntime } from 'toolgate/quickjs'
import { describe, expect, it } from 'vitest'
import { renderToolsSdkWithin } from '../../src/code-mode/declarations/render-tools-sdk.js'
import { countedTool } from '../support/tools.js'

const codeRuntime = quickJsRuntime()
const description = 'Look for something'

async function run(scope: ToolScope, code: string): Promise<unknown> {
  const result = await scope.execute({ callId: 'c', name: 'run_code', arguments: { code, description } })
  if (result.isError) throw new Error(result.error.message)
  return (result.value as { result?: unknown }).result
}

const sdkOf = (scope: ToolScope): string =>
  scope
    .present()
    .sections.map(section => section.text)
    .join('\n')

describe('a tool that a scope does not see', () => {
  const secret = countedTool('secret_vault', () => 'gold', { description: 'Opens the vault of gold.' })
  const hidden = countedTool('hidden_archive', () => 'dust', { description: 'Opens the archive of gold.' })
  const registry = createToolRegistry({
    tools: [secret, countedTool('open_door', () => 'open', { description: 'Opens a door.' })],
    mode: 'code',
    codeRuntime,
    scopes: [
      { id: 'denied', restrict: { deny: ['secret_vault'] } },
      { id: 'allowed', restrict: { allow: ['open_door'] } },
      { id: 'below', parent: 'denied' },
      { id: 'beside', tools: [hidden] },
      { id: 'open' },
    ],
  })

  const places: readonly (readonly [string, string, string])[] = [
    'denied',
    'allowed',
    'below',
    'open',
  ].flatMap(scope => [
    ...(scope === 'open' ? [] : [[scope, 'secret_vault', 'vault'] as const]),
    [scope, 'hidden_archive', 'archive'] as const,
  ])
  describe.each(places)('in %s, %s', (id, name, word) => {
    const scope = registry.scope(id)

    it.each(['full', 'search', 'auto'] as const)('is in no text with sdk %s', sdk => {
      const other = createToolRegistry({
        tools: [secret, countedTool('open_door')],
        mode: 'code',
        codeRuntime,
        codeMode: { sdk },
        scopes: [
          { id: 'denied', restrict: { deny: ['secret_vault'] } },
          { id: 'allowed', restrict: { allow: ['open_door'] } },
          { id: 'below', parent: 'denied' },
          { id: 'beside', tools: [hidden] },
          { id: 'open' },
        ],
      })
      expect(sdkOf(other.scope(id))).not.toContain(name)
    })

    it('is no binding, and calling it says nothing of it and runs nothing', async () => {
      const before = secret.runs() + hidden.runs()
      expect(await run(scope, `return Object.keys(tools).includes('${name}') || '${name}' in tools`)).toBe(
        false,
      )
      const near = name.slice(0, -1)
      const messages = (await run(
        scope,
        `const out = []
for (const name of ['${name}', '${near}']) try { await tools[name]({}) } catch (e) { out.push(e.code, e.message.replaceAll(name, '*')) }
return out`,
      )) as string[]
      expect(messages[0]).toBe('UNKNOWN_TOOL')
      expect(messages[2]).toBe('UNKNOWN_TOOL')
      expect(messages.join()).not.toContain(name)
      expect(secret.runs() + hidden.runs()).toBe(before)
    })

    it('is found by no search and described by no name', async () => {
      const found = (await run(
        scope,
        `const all = []
for (const q of ['${name}', '${word}', 'gold', 'opens', 'o', '', '*']) all.push(...(await catalog.search(q, { limit: 100 })).map(t => t.name))
return all`,
      )) as string[]
      expect(found).not.toContain(name)
      expect(found).toContain('open_door')
      const text = await run(
        scope,
        `try { return await catalog.describe('${name}') } catch (e) { return e.message.replaceAll('"${name}"', '*') }`,
      )
      expect(text).toMatch(/^There is no tool \*/)
      expect(text).not.toContain(name)
    })
  })

  it('and run_code itself are not found either', async () => {
    expect(
      await run(
        registry.scope('open'),
        `return (await catalog.search('run_code code', { limit: 100 })).map(t => t.name)`,
      ),
    ).not.toContain('run_code')
  })

  it('is in neither search nor describe once a tool of the program has masked it', async () => {
    const scope = registry.createScope({ id: 'masked_meanwhile' })
    const hide = countedTool('hide', () => {
      scope.restrict({ deny: ['secret_vault'] })
      return 'hidden'
    })
    scope.register(hide)
    const ran = secret.runs()
    const program = `const before = (await catalog.search('vault')).length
await tools.hide()
const described = await catalog.describe('secret_vault').catch(e => 'missing')
return [before, await tools.secret_vault().catch(e => e.code), described, await catalog.search('vault')]`
    expect(await run(scope, program)).toEqual([1, 'UNKNOWN_TOOL', 'missing', []])
    expect(secret.runs()).toBe(ran)
  })

  it('is gone for the next program once it is masked, and back once it is not', async () => {
    const scope = registry.createScope({ id: 'later' })
    const search = `return (await catalog.search('vault')).map(t => t.name)`
    expect(await run(scope, search)).toEqual(['secret_vault'])
    const lift = scope.restrict({ deny: ['secret_vault'] })
    expect(await run(scope, search)).toEqual([])
    expect(sdkOf(scope)).not.toContain('secret_vault')
    lift()
    expect(await run(scope, search)).toEqual(['secret_vault'])
  })
})

it('a guarded tool is told of, since a guard speaks about calls, and refused when called', async () => {
  const guarded = countedTool('wipe_disk')
  const registry = createToolRegistry({ tools: [guarded], mode: 'code', codeRuntime })
  registry.guard(({ name }) => (name === 'wipe_disk' ? 'never' : undefined))
  expect(sdkOf(registry)).toContain('wipe_disk')
  expect(await run(registry, 'try { await tools.wipe_disk({}) } catch (e) { return e.code }')).toBe(
    'GUARD_DENIED',
  )
  expect(guarded.runs()).toBe(0)
})

describe('searching', () => {
  const named = (name: string, text: string, properties: object = {}): ToolDefinition =>
    countedTool(name, () => 1, { description: text, parameters: { type: 'object', properties } as never })
  const registry = createToolRegistry({
    mode: 'code',
    codeRuntime,
    tools: [
      named('create_issue', 'Opens a new issue in a repository.', { title: {}, body: {} }),
      named('listPullRequests', 'Lists pull requests.', { repositoryName: {} }),
      named('send-email', 'Sends an e-mail to a person.'),
      named('weather.forecast', 'Tells the weather of a city for tomorrow.'),
      named('__proto__', 'A tool with an odd name.'),
      named('größe_ändern', 'Ändert die Größe.'),
    ],
  })
  const first = (query: string): Promise<unknown> =>
    run(registry, `return (await catalog.search(${JSON.stringify(query)}))[0]?.name ?? null`)

  it.each([
    ['issue', 'create_issue'],
    ['open an issue', 'create_issue'],
    ['pull requests', 'listPullRequests'],
    ['pull', 'listPullRequests'],
    ['repository name', 'listPullRequests'],
    ['email', 'send-email'],
    ['forecst', 'weather.forecast'],
    ['weather in a city', 'weather.forecast'],
    ['odd', '__proto__'],
    ['größe', 'größe_ändern'],
  ])('%j finds %s first', async (query, name) => {
    expect(await first(query)).toBe(name)
  })

  it('gives at most what was asked for, ten by default, a hundred at most', async () => {
    const many = createToolRegistry({
      mode: 'code',
      codeRuntime,
      tools: Array.from({ length: 150 }, (_, i) => named(`thing_${i}`, 'A thing.')),
    })
    const count = (options: string): Promise<unknown> =>
      run(many, `return (await catalog.search('thing'${options})).length`)
    expect(await count('')).toBe(10)
    expect(await count(', { limit: 3 }')).toBe(3)
    expect(await count(', { limit: 100000 }')).toBe(100)
    expect(await count(', { limit: -1 }')).toBe(10)
    expect(await count(', { limit: "x" }')).toBe(10)
  })

  it.each(['5', 'null', '{}', ''])('search(%s) and describe(%s) say what they take', async argument => {
    for (const method of ['search', 'describe'])
      expect(
        await run(registry, `try { await catalog.${method}(${argument}) } catch (e) { return e.message }`),
      ).toBe(`catalog.${method} takes a string first`)
  })
})

/** How often the host's timers got in. */
const beatsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let beats = 0
  let beating = true
  const beat = (): void => {
    beats += 1
    if (beating) setTimeout(beat, 0)
  }
  beat()
  await work()
  beating = false
  return beats
}

describe('a search that would hold the host', () => {
  const tools = Array.from({ length: 50 }, (_, i) =>
    countedTool(`tool_${i}`, () => 1, { description: `Does the thing number ${i}.` }),
  )
  const registry = createToolRegistry({ tools, mode: 'code', codeRuntime })

  it('is refused past 200 characters, in one word or in many', async () => {
    const program = `const got = []
for (const query of ['t'.repeat(200), 't'.repeat(201), 'w'.repeat(25_000), 'thing '.repeat(60_000)])
  try { got.push((await catalog.search(query)).length) } catch (e) { got.push(e.message) }
return got`
    const told = (count: number): string =>
      `catalog.search takes at most 200 characters and got ${count}: name in a few words what the tool does`
    expect(await run(registry, program)).toEqual([0, told(201), told(25_000), told(360_000)])
  })

  it('lets the host go on between one and the next, and both find', async () => {
    let beats = 0
    let beating = true
    const beat = (): void => {
      beats += 1
      if (beating) setImmediate(beat)
    }
    const program = `const found = await Promise.all(Array(20).fill('thing').map(query => catalog.search(query)))
return found.map(tools => tools.length)`
    await run(registry, `return (await catalog.search('thing')).length`)
    beat()
    const found = await run(registry, program)
    beating = false
    expect(found).toEqual(Array(20).fill(10))
    expect(beats).toBeGreaterThanOrEqual(20)
  })

  it('of one program does not wait for those of another', async () => {
    const other = registry.createScope({ id: 'other_session' })
    const flood = run(
      registry,
      `await Promise.all(Array(400).fill('thing').map(query => catalog.search(query))); return 'flooded'`,
    )
    await new Promise(done => setTimeout(done, 20))
    const beats = await beatsDuring(() => run(other, `return (await catalog.search('thing')).length`))
    expect(beats).toBeLessThan(100)
    expect(await flood).toBe('flooded')
  })

  it('goes on for nobody once the program has ended', async () => {
    const flood = `for (let i = 0; i < 900; i++) catalog.search('thing ' + i)
await new Promise(done => setTimeout(done, 30))
return 'left'`
    expect(await run(registry, flood)).toBe('left')
    const beats = await beatsDuring(() => run(registry, `return (await catalog.search('thing')).length`))
    // Each search takes a turn.
    expect(beats).toBeLessThan(300)
  })
})

/** How long the host was held at a time, and how long the work took. */
const holdsDuring = async (work: () => Promise<unknown>): Promise<{ longest: number; whole: number }> => {
  const began = performance.now()
  let last = began
  let longest = 0
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  await work()
  clearInterval(timer)
  const end = performance.now()
  return { longest: Math.max(longest, end - last), whole: end - began }
}

it('a search for many beginnings of words lets the host go on between them', async () => {
  const letters = 'abcdefghijklmnopqrst'
  const word = (i: number): string =>
    [i, i / 20, i / 400, i / 7].map(n => letters[Math.floor(n) % 20]).join('') + (i % 1000)
  const tools = Array.from({ length: 500 }, (_, i) =>
    countedTool(`tool_${i}`, () => 1, {
      description: Array.from({ length: 200 }, (_, j) => word(i * 37 + j * 53)).join(' '),
    }),
  )
  const registry = createToolRegistry({ tools, mode: 'code', codeRuntime })
  const beginnings = Array.from({ length: 66 }, (_, i) => word(i * 7).slice(0, 2)).join(' ')
  const search = (query: string) => run(registry, `return (await catalog.search('${query}')).length`)
  await search('tool')
  const { longest, whole } = await holdsDuring(() => search(beginnings))
  expect(longest).toBeLessThan(whole / 3)
})

it('a search for many words ranks as a search for all of them: the more of them are met, the better', async () => {
  const texts = ['red apple', 'red apple pie', 'blue apple', 'red car', 'blue sky']
  const tools = texts.map((description, i) => countedTool(`t${i}`, () => 1, { description }))
  const registry = createToolRegistry({ tools, mode: 'code', codeRuntime })
  const found = await run(registry, `return (await catalog.search('blue apple sky')).map(t => t.description)`)
  expect(found).toEqual(['blue sky', 'blue apple', 'red apple', 'red apple pie'])
})

describe('searching among ten thousand tools', () => {
  const word = (i: number): string => `w${((i * 2654435761) >>> 0).toString(36).slice(0, 5)}`
  const tools = Array.from({ length: 10_000 }, (_, i) =>
    countedTool(`get_thing_${i}`, () => 1, {
      description: `Does ${word(i % 3000)} and ${word(i)} of the given account, page by page.`,
    }),
  )
  const create = (): ToolRegistry => createToolRegistry({ tools, mode: 'code', codeRuntime })

  it('lets the host go on while the index is built, and while it is searched', async () => {
    const registry = create()
    await run(registry, 'return 1')
    const search = async (): Promise<void> => {
      const found = await run(
        registry,
        `return (await catalog.search('account page ${word(7777)}', { limit: 5 }))`,
      )
      expect(found).toMatchObject([{ name: 'get_thing_7777' }, {}, {}, {}, {}])
    }
    // A turn for a sixteenth of a megabyte of text, a turn for five hundred tools.
    expect(await beatsDuring(search)).toBeGreaterThanOrEqual(60)
    expect(await beatsDuring(search)).toBeGreaterThanOrEqual(15)
  })

  it('finds those that the scope sees now, though tools come and go meanwhile', async () => {
    const registry = create()
    const swap = countedTool('swap', () => {
      gone()
      registry.register(countedTool('new_comer', () => 1, { description: 'Newly arrived.' }))
      return 'swapped'
    })
    registry.register(swap)
    const gone = registry.register(countedTool('old_timer', () => 1, { description: 'Soon departed.' }))
    const program = `const names = async query => (await query).map(tool => tool.name)
const before = await names(catalog.search('departed arrived'))
const meanwhile = names(catalog.search('departed arrived'))
await tools.swap({})
const after = await names(catalog.search('departed arrived'))
const told = []
for (const name of ['old_timer', 'new_comer']) told.push(await catalog.describe(name).then(() => 'declared', () => 'missing'))
return [before, (await meanwhile).includes('old_timer'), after, told, await names(catalog.search('${word(9999)}', { limit: 1 }))]`
    expect(await run(registry, program)).toEqual([
      ['old_timer'],
      false,
      ['new_comer'],
      ['missing', 'declared'],
      ['get_thing_9999'],
    ])
  })
})

describe('the text about many tools', () => {
  const tools = (count: number): ToolDefinition[] =>
    Array.from({ length: count }, (_, i) =>
      countedTool(`tool_${i}`, () => 1, { description: 'Does something useful.\nAnd more.' }),
    )
  const text = (count: number, codeMode: object): string =>
    sdkOf(createToolRegistry({ tools: tools(count), mode: 'code', codeRuntime, codeMode }))

  it('declares up to the budget, byte by byte, and lists names past it', () => {
    const declarations = renderToolsSdk(
      tools(20).map(({ name, description: about, parameters }) => ({
        name,
        description: about,
        parameters: parameters as never,
      })),
    )
    const bytes = new TextEncoder().encode(declarations).length
    expect(text(20, { sdkBudgetBytes: bytes })).toContain(declarations)
    const past = text(20, { sdkBudgetBytes: bytes - 1 })
    expect(past).toContain('- tool_7: Does something useful.\n')
    expect(past).not.toContain('tool_7(')
  })

  it('counts bytes, not characters', () => {
    const wide = [countedTool('a', () => 1, { description: '語'.repeat(2000) })]
    const make = (sdkBudgetBytes: number): string =>
      sdkOf(createToolRegistry({ tools: wide, mode: 'code', codeRuntime, codeMode: { sdkBudgetBytes } }))
    expect(make(5000)).toContain('- a: 語')
    expect(make(8000)).toContain('declare const tools')
  })

  it('reads no more tools than fit into the budget', () => {
    let read = 0
    const given = Array.from({ length: 1000 }, (_, i) => ({
      name: `tool_${i}`,
      get parameters() {
        read += 1
        return { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } } as never
      },
    }))
    expect(renderToolsSdkWithin(given, 40_000)).toBeUndefined()
    expect(read).toBeGreaterThan(100)
    expect(read).toBeLessThan(900)
    read = 0
    expect(renderToolsSdkWithin(given, 10_000)).toBeUndefined()
    expect(read).toBe(0)
    expect(renderToolsSdkWithin(given, 10_000_000)).toBe(renderToolsSdk(given))
  })

  it('keeps each tool to one line, whatever its description holds', () => {
    const odd = [
      countedTool('a', () => 1, { description: 'First\r\n- fake: a line' }),
      countedTool('b', () => 1, { description: '\u2028- fake: another' }),
      countedTool('c', () => 1, { description: `${'long '.repeat(100_000)}` }),
      countedTool('d e"f', () => 1, { description: 'Quoted.' }),
    ]
    const lines = sdkOf(
      createToolRegistry({ tools: odd, mode: 'code', codeRuntime, codeMode: { sdk: 'search' } }),
    )
      .split(/[\n\r\u2028]/)
      .filter(line => line.startsWith('- ') && /^- (?:a|b|c|fake|"d)/.test(line))
    expect(lines.map(line => line.slice(0, 12))).toEqual([
      '- a: First',
      '- b: - fake:',
      '- c: long lo',
      '- "d e\\"f": ',
    ])
    expect(Math.max(...lines.map(line => line.length))).toBeLessThan(140)
  })

  it('is the same for any order of the tools', () => {
    const both = (list: ToolDefinition[]): string =>
      sdkOf(createToolRegistry({ tools: list, mode: 'code', codeRuntime, codeMode: { sdk: 'search' } }))
    expect(both(tools(30).reverse())).toBe(both(tools(30)))
  })
})
