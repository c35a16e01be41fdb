/** One schema, with values that its printed type must accept and must refuse. */
export interface SchemaCase {
  readonly name: string
  readonly schema: unknown
  readonly accepts: readonly unknown[]
  readonly refuses: readonly unknown[]
  /** What the text has to contain. */
  readonly says?: readonly string[]
}

export const object = (properties: object, rest: object = {}): object => ({
  type: 'object',
  properties,
  ...rest,
})
export const closed = (properties: object, rest: object = {}): object =>
  object(properties, { additionalProperties: false, ...rest })
export const string = { type: 'string' }
export const number = { type: 'number' }
