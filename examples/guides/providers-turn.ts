import { createToolRegistry, defineTool } from 'toolgate'
import { openAiChat } from 'toolgate/openai'

const registry = createToolRegistry({
  tools: [
    defineTool({
      name: 'calendar.find',
      description: 'Finds free hours.',
      parameters: { day: { type: 'string', required: true }, room: { type: 'string' } },
      execute: ({ day, room = 'any room' }) => `${day} at ten, ${room}`,
    }),
  ],
})
const wire = openAiChat(registry)
const [tool] = wire.tools()
console.log(tool?.function.name, tool?.function.strict, JSON.stringify(tool?.function.parameters))

// What the API answers: two calls, and the token limit met before the second one had arguments.
const call = (id: string, args: string) => ({
  id,
  type: 'function',
  function: { name: tool?.function.name ?? '', arguments: args },
})
const tool_calls = [call('a', '{"day":"Monday","room":null}'), call('b', '')]
const completion = { choices: [{ message: { role: 'assistant', tool_calls }, finish_reason: 'length' }] }

const turn = wire.turn(completion)
console.log(turn.calls.map(({ callId, name, arguments: args }) => `${callId} ${name} ${args}`))
for (const message of turn.results(await registry.executeAll(turn.calls))) console.log(message)
