import { expect, test } from 'vitest'
import { returned } from '../support/run-code.js'

/** What an expression comes to: its value as JSON, or the name of what it throws. */
type Came = { readonly value: unknown } | { readonly threw: string }

const EVALUATE = `(source, evaluate) => {
  try {
    const value = evaluate(source)
    return { value: value === undefined ? 'undefined' : JSON.parse(JSON.stringify(value)) }
  } catch (error) {
    return { threw: error.name }
  }
}`

function onHost(expression: string): Came {
  const evaluate = new Function(`return ${EVALUATE}`)() as (s: string, e: (s: string) => unknown) => Came
  return evaluate(expression, source => new Function(`return (${source})`)())
}

/** One test for each expression: in the sandbox it comes to what it comes to in the runtime that runs the tests. */
export function sameAsHost(expressions: readonly string[]): void {
  let inGuest: Promise<readonly Came[]> | undefined
  const all = (): Promise<readonly Came[]> => {
    inGuest ??= returned(
      `const come = ${EVALUATE}
return ${JSON.stringify(expressions)}.map(source => come(source, source => (0, eval)('(' + source + ')')))`,
    ) as Promise<readonly Came[]>
    return inGuest
  }
  test.each(expressions.map((expression, i) => [expression, i] as const))('%s', async (expression, i) => {
    expect((await all())[i]).toEqual(onHost(expression))
  })
}
