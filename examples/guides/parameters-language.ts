import { createToolRegistry, defineTool } from 'toolgate'

const book = defineTool({
  name: 'book_table',
  description: 'Books a table in a restaurant.',
  parameters: {
    restaurant: { type: 'string', required: true, description: 'Its name, as the search gives it' },
    // The body sees 'lunch' | 'dinner', and TypeScript checks that it does.
    meal: { type: 'string', enum: ['lunch', 'dinner'], required: true },
    guests: {
      type: 'array',
      required: true,
      items: {
        type: 'object',
        additionalProperties: false,
        properties: { name: { type: 'string', required: true }, age: { type: 'integer' } },
      },
    },
    // Exactly one of these.
    pay: {
      oneOf: [
        {
          type: 'object',
          additionalProperties: false,
          properties: {
            by: { type: 'string', const: 'card', required: true },
            last4: { type: 'string', required: true },
          },
        },
        {
          type: 'object',
          additionalProperties: false,
          properties: { by: { type: 'string', const: 'cash', required: true } },
        },
      ],
    },
    // Any JSON.
    notes: { type: 'json' },
  },
  execute: ({ restaurant, meal, guests, pay }) => {
    const names = guests.map(({ name, age }) => (age === undefined ? name : `${name} (${age})`))
    const paid = pay?.by === 'card' ? `, card …${pay.last4}` : ''
    return `${meal} at ${restaurant} for ${names.join(' and ')}${paid}`
  },
})
const registry = createToolRegistry({ tools: [book] })

for (const args of [
  { restaurant: 'Anna', meal: 'lunch', guests: [{ name: 'Bo', age: 7 }], pay: { by: 'card', last4: '4242' } },
  { meal: 'brunch', guests: [{ name: 'Bo', age: 'seven', vegan: true }], pay: { by: 'card' } },
]) {
  const result = await registry.execute({ callId: '1', name: 'book_table', arguments: args })
  if (!result.isError) console.log(result.value)
  else console.log(result.error.message)
}

// What the model sees is made of the same map.
console.log(JSON.stringify(registry.schemas()[0]?.parameters.required))
