import { AlwaysOffSampler } from '@opentelemetry/sdk-trace-base'
import fc from 'fast-check'
import type { JsonValue } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { attributeJson, attributeText } from '../../../src/adapters/otel/attribute-text.js'
import { countedTool } from '../../support/tools.js'
import { telemetryOf, watchedRegistry } from './otel-world.js'

const RECORD = { recordArguments: true, recordResults: true }
const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text)

describe('JSON as an attribute', () => {
  it('is that of JSON.stringify where it fits, and else its beginning, of whole characters', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }),
        fc.integer({ min: 1, max: 60 }),
        (value, most) => {
          const whole = JSON.stringify(value)
          expect(attributeJson(value as JsonValue, 1e6)).toBe(whole)
          const text = attributeJson(value as JsonValue, most) as string
          expect(text.length).toBeLessThanOrEqual(most)
          expect(isWhole(text)).toBe(true)
          if (whole.length <= most) expect(text).toBe(whole)
          else expect([text.at(-1), whole.startsWith(text.slice(0, -1))]).toEqual(['…', true])
        },
      ),
    )
  })

  it('is not written beyond the limit, however large the value is', () => {
    let read = 0
    const list = new Proxy(
      Array.from({ length: 100_000 }, (_, i) => i),
      {
        get(target, key) {
          read++
          return Reflect.get(target, key)
        },
      },
    )
    expect(attributeJson(list as JsonValue, 20)).toBe('[0,1,2,3,4,5,6,7,8,…')
    expect(read).toBeLessThan(1000)
    let deep: JsonValue = []
    for (let i = 0; i < 100_000; i++) deep = [deep]
    expect(attributeJson(deep, 5)).toBe('[[[[…')
  })

  it('has a length of one, two or three characters if that is what is wanted', () => {
    expect([1, 2, 3, 4].map(most => attributeText('a😀b', most))).toEqual(['…', 'a…', 'a…', 'a😀b'])
  })
})

describe('what a span says', () => {
  it('is cut, and of whole characters, whoever made it up', async () => {
    const long = `${'x'.repeat(40)}\ud800`
    const telemetry = telemetryOf({ ...RECORD, maxAttributeLength: 20 })
    const tool = countedTool(
      'work',
      () => {
        throw new Error(long)
      },
      { description: long },
    )
    const registry = watchedRegistry(telemetry, [tool])
    await registry.execute({ callId: long, name: 'work', rootCallId: '\udc00', arguments: { a: long } })
    await registry.execute({ callId: 'b', name: long })
    for (const span of telemetry.ended())
      for (const text of [
        span.name.replace('execute_tool ', ''),
        span.status.message,
        ...Object.values(span.attributes),
      ]) {
        expect(String(text).length).toBeLessThanOrEqual(20)
        expect(isWhole(String(text))).toBe(true)
      }
    expect(telemetry.ended()[0]?.attributes['toolgate.root_call.id']).toBe('\ufffd')
    telemetry.settled()
  })

  it('keeps to the limits of the SDK', async () => {
    const spanLimits = { attributeValueLengthLimit: 10, attributeCountLimit: 4 }
    const telemetry = telemetryOf(RECORD, { spanLimits })
    const registry = watchedRegistry(telemetry, [countedTool('work', () => 'x'.repeat(100))])
    expect(await registry.execute({ callId: 'a', name: 'work' })).toMatchObject({ isError: false })
    telemetry.settled()
    expect(
      Object.values(telemetry.ended()[0]?.attributes ?? {}).every(text => String(text).length <= 10),
    ).toBe(true)
  })

  it('is not even asked for where the span is not sampled, and what is measured is the same', async () => {
    let asked = 0
    const count = (): string => `${++asked}`
    const telemetry = telemetryOf(
      { recordArguments: count, recordResults: count },
      { sampler: new AlwaysOffSampler() },
    )
    const registry = watchedRegistry(telemetry, [countedTool('work')])
    await registry.execute({ callId: 'a', name: 'work' })
    expect([asked, telemetry.ended()]).toEqual([0, []])
    expect((await telemetry.points()).map(({ count }) => count)).toEqual([1])
  })

  it('names the agent, on the span and in the duration', async () => {
    const telemetry = telemetryOf({ agentName: ({ scope }) => (scope === 'root' ? undefined : scope) })
    const registry = watchedRegistry(telemetry, [countedTool('work')])
    registry.createScope({ id: 'planner' })
    await registry.execute({ callId: 'a', name: 'work', scope: 'planner' })
    await registry.execute({ callId: 'b', name: 'work' })
    expect(telemetry.ended().map(span => span.attributes['gen_ai.agent.name'])).toEqual([
      'planner',
      undefined,
    ])
    const base = { 'gen_ai.tool.name': 'work', 'gen_ai.tool.type': 'function' }
    expect((await telemetry.points()).map(({ attributes }) => attributes)).toEqual([
      { ...base, 'gen_ai.agent.name': 'planner' },
      base,
    ])
  })

  it.each([
    ['genai-1.42-dev', 'gen-ai-dev/1.42.0-dev', 'gen_ai.tool.call', 'gen_ai.execute_tool.duration', false],
    ['semconv-1.41', '1.41.0', 'gen_ai.tool.call', 'gen_ai.client.operation.duration', true],
    ['semconv-1.36', '1.36.0', 'toolgate.call', 'gen_ai.client.operation.duration', true],
  ] as const)('has the names of %s', async (conventions, schema, content, duration, hasOperation) => {
    const telemetry = telemetryOf({ ...RECORD, conventions })
    const registry = watchedRegistry(telemetry, [countedTool('work')])
    await registry.execute({ callId: 'a', name: 'work' })
    const span = telemetry.spanOf('execute_tool work')
    expect(span.instrumentationScope.schemaUrl).toBe(`https://opentelemetry.io/schemas/${schema}`)
    expect(span.attributes).toMatchObject({ [`${content}.arguments`]: '{}', [`${content}.result`]: '"done"' })
    const [point] = await telemetry.points()
    expect(point).toMatchObject({ metric: duration, unit: 's', count: 1 })
    expect(point && 'gen_ai.operation.name' in point.attributes).toBe(hasOperation)
    expect(point?.boundaries).toEqual([
      0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
    ])
  })

  it('measures in seconds what the span took', async () => {
    const telemetry = telemetryOf()
    const tool = countedTool('work', () => new Promise(done => setTimeout(done, 30)))
    await watchedRegistry(telemetry, [tool]).execute({ callId: 'a', name: 'work' })
    const [seconds, nanos] = telemetry.spanOf('execute_tool work').duration
    const [point] = await telemetry.points()
    expect(Math.abs((point?.sum ?? 0) - (seconds + nanos / 1e9))).toBeLessThan(0.01)
    expect(point?.sum).toBeGreaterThan(0.02)
  })
})
