import fc from 'fast-check'
import { openAiChat } from 'toolgate/openai'
import { describe, expect, it } from 'vitest'

const tool = (name: string) => ({ name, description: '', parameters: { type: 'object' } })
const wireOf = (...names: readonly string[]) => openAiChat(names.map(tool))
const SAFE = /^[a-zA-Z0-9_-]{1,64}$/

describe('the name of a tool on a wire', () => {
  it.each([
    ['calendar.respondToEvent', /^calendar_respondToEvent--\w{11}$/],
    ['files/read', /^files_read--\w{11}$/],
    ['a'.repeat(120), /^a{51}--\w{11}$/],
    ['日本語', /^tool--\w{11}$/],
    ['über.größe', /^ber_gr_e--\w{11}$/],
    ['\ud800', /^tool--\w{11}$/],
    [' ', /^tool--\w{11}$/],
    ['__proto__.x', /^proto___x--\w{11}$/],
  ])('of %j is readable, safe and read back', (name, expected) => {
    const wire = wireOf(name)
    expect(wire.wireName(name)).toMatch(expected)
    expect(wire.wireName(name)).toMatch(SAFE)
    expect(wire.toolName(wire.wireName(name))).toBe(name)
    expect(wire.tools().map(each => each.function.name)).toEqual([wire.wireName(name)])
  })

  it.each(['read_file', '2fast', 'a-b', 'x'.repeat(64), '_', 'constructor', '__proto__'])(
    'is the name itself where it may be: %s',
    name => {
      const wire = wireOf(name)
      expect(wire.wireName(name)).toBe(name)
      expect(wire.toolName(name)).toBe(name)
    },
  )

  it('is the same whatever other tools there are, and before any is known', () => {
    const alone = wireOf('a.b').wireName('a.b')
    expect(wireOf('c', 'a/b', 'a.b', 'a_b').wireName('a.b')).toBe(alone)
    expect(wireOf().wireName('a.b')).toBe(alone)
  })

  it('cannot be taken by a tool that is called like it', () => {
    const alias = wireOf('a.b').wireName('a.b')
    const wire = wireOf('a.b', alias)
    expect(wire.wireName('a.b')).toBe(alias)
    expect(wire.wireName(alias)).not.toBe(alias)
    expect(wire.toolName(wire.wireName(alias))).toBe(alias)
    expect(wire.toolName(alias)).toBe('a.b')
  })

  it('is kept for a tool that has gone, and a name that was never given is itself', () => {
    const list = [tool('a.b')]
    const wire = openAiChat({ present: () => ({ tools: [...list], sections: [] }) })
    const alias = wire.wireName('a.b')
    list.pop()
    expect(wire.tools()).toEqual([])
    expect(wire.toolName(alias)).toBe('a.b')
    expect(wire.toolName('made_up')).toBe('made_up')
  })

  it('law: is safe, different for different tools, read back, and does not depend on order', () => {
    const name = fc.oneof(
      fc.string({ minLength: 1, maxLength: 200 }),
      fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', '_', '-', '9'), minLength: 1, maxLength: 80 }),
    )
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 40 }), names => {
        const wire = wireOf(...names)
        const wires = names.map(each => wire.wireName(each))
        for (const each of wires) expect(each).toMatch(SAFE)
        expect(new Set(wires).size).toBe(names.length)
        expect(wires.map(each => wire.toolName(each))).toEqual(names)
        const other = wireOf(...names.toReversed())
        expect(names.map(each => other.wireName(each))).toEqual(wires)
      }),
    )
  })
})

describe('the tools of a request', () => {
  const schema = (...order: readonly string[]) => {
    const all: { [key: string]: unknown } = {
      type: 'object',
      properties: { b: { type: 'string', description: 'B' }, a: { description: 'A', type: 'string' } },
      required: ['b'],
      description: 'D',
    }
    return Object.fromEntries(order.map(key => [key, all[key]])) as any
  }
  const one = schema('type', 'properties', 'required', 'description')
  const other = schema('description', 'required', 'properties', 'type')

  it('are the same bytes in whatever order tools were registered and keywords written', () => {
    const names = ['z', 'a.b', 'm', 'A']
    const make = (list: readonly string[], parameters: any) =>
      JSON.stringify(openAiChat(list.map(name => ({ name, description: name, parameters }))).tools())
    expect(make(names, one)).toBe(make(names.toReversed(), other))
    expect(JSON.parse(make(names, one)).map((each: any) => each.function.name)[0]).toBe('A')
  })

  it('keep the order in which an object declares its properties', () => {
    const [first] = openAiChat([{ name: 'a', description: '', parameters: one }]).tools()
    expect(Object.keys((first as any).function.parameters.properties)).toEqual(['b', 'a'])
  })

  it('are copies: changing them changes nothing', () => {
    const wire = openAiChat([{ name: 'a', description: '', parameters: one }])
    const before = JSON.stringify(wire.tools())
    const [mine] = wire.tools()
    ;(mine as any).function.parameters.properties.b.type = 'number'
    expect(JSON.stringify(wire.tools())).toBe(before)
  })

  it.each([
    [undefined, 'scope'],
    [[{ name: '', description: '', parameters: {} }], 'name'],
    [[{ name: 'a', parameters: {} }], 'description'],
    [[{ name: 'a', description: '', parameters: [] }], 'parameters'],
    [[tool('a'), tool('a')], 'two tools'],
  ])('come from a scope or a list of tools: %j', (source, message) => {
    expect(() => openAiChat(source as never)).toThrow(message)
  })

  it('are made for ten thousand tools, and for the same ones again at little cost', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => ({
      name: `tool.${i}`,
      description: '',
      parameters: one,
    }))
    const wire = openAiChat(many)
    expect(wire.tools().length).toBe(10_000)
    expect(wire.findings()).toContainEqual(
      expect.objectContaining({ rule: 'tool-count', outcome: 'refused' }),
    )
  })
})
