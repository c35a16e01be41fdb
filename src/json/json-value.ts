/** Anything JSON can carry without loss: no `undefined`, `NaN`, `Infinity`, `-0`, `BigInt`, class instances or cycles. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** A JSON object: own, enumerable, string-keyed JSON values. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}
