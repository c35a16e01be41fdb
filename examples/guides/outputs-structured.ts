import { assertSupportedOutputSchema, OutputSchemaError, validateStructuredValue } from 'toolgate'

// For the answer of a model that was asked for JSON: a subset that is enforced to the last keyword.
const schema = {
  type: 'object',
  properties: { title: { type: 'string' }, score: { type: 'integer' } },
  required: ['title', 'score'],
  additionalProperties: false,
}
assertSupportedOutputSchema(schema)
console.log(validateStructuredValue(schema, { title: 'a', score: 1 }))
for (const { message } of validateStructuredValue(schema, { score: '1', stars: 5 })) console.log(message)

// What would be ignored is refused instead, all of it at once.
try {
  assertSupportedOutputSchema({
    type: 'object',
    properties: { score: { type: 'integer', minimum: 0 } },
    minProperties: 1,
  })
} catch (error) {
  if (error instanceof OutputSchemaError) for (const { message } of error.violations) console.log(message)
}
