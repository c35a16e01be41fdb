import { createToolRegistry, defineTool } from 'toolgate'
import * as z from 'zod'

const known = new Set(['ada', 'bo'])

const schedule = defineTool({
  name: 'schedule',
  description: 'Schedules a meeting.',
  parameters: z.object({
    day: z.iso.date().transform(text => new Date(text)),
    minutes: z.int().positive().default(30),
    // Checks may wait for something.
    with: z.string().refine(async name => known.has(name), 'is nobody here'),
  }),
  output: {
    schema: z.object({ weekday: z.string(), minutes: z.number() }),
    render: (_args, { weekday, minutes }) => [{ type: 'text', text: `${weekday}, ${minutes} minutes` }],
  },
  // What zod made of the arguments: a Date, and the default where the model gave nothing.
  execute: ({ day, minutes }) => ({
    weekday: day.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' }),
    minutes,
  }),
})
const registry = createToolRegistry({ tools: [schedule] })

// The model sees what the schema takes: a text for the day, and minutes that may be left out.
const { properties, required } = registry.schemas()[0]?.parameters ?? {}
console.log(JSON.stringify(Object.keys(properties ?? {})), JSON.stringify(required))

for (const args of [
  { day: '2026-12-01', with: 'ada' },
  { day: 'tomorrow', minutes: 0, with: 'eve' },
]) {
  const result = await registry.execute({ callId: '1', name: 'schedule', arguments: args })
  console.log(result.isError ? result.error.message : JSON.stringify(result.value))
}
