// Has the engine refuse what it multiplies to more bytes than it can have. It reckons in 32 bits: room for 2^29 members of eight
// bytes came out as none, and the members were written all the same.

import { endOf } from './edit-text.mjs'

// The engine's own functions that set memory aside, and which of their arguments says how much. Numbers of the pinned build.
const ALLOCATORS = { $20: 1, $44: 1, $131: 0, $161: 2, $176: 2 }
const CALL = /\(call (\$\d+)(?=[\s)])/g
const LOCAL = /^\(local\.get (\$\S+)\s*\)$/
const PRODUCT = /\(i32\.(shl|mul)(?=\s)/g
const BY_CONSTANT = /^\(i32\.const \d+\)$/

/** The expressions that stand next to one another from a place on. */
function listFrom(text, from) {
  const found = []
  for (let i = text.indexOf('(', from); i >= 0 && /^[\s]*$/.test(text.slice(found.at(-1)?.to ?? from, i)); ) {
    const to = endOf(text, i)
    found.push({ from: i, to })
    i = text.indexOf('(', to)
  }
  return found
}

/** The products by a constant in an expression. */
function productsIn(text, { from, to }) {
  return [...text.slice(from, to).matchAll(PRODUCT)].flatMap(({ index, 0: head, 1: operation }) => {
    const at = from + index
    const [, factor] = listFrom(text, at + head.length)
    return factor && BY_CONSTANT.test(text.slice(factor.from, factor.to)) ? [{ at, head, operation }] : []
  })
}

/** One function with its sizes checked, and how many were. */
export function checkSizes(text) {
  const products = new Map()
  const see = expression => {
    for (const product of productsIn(text, expression)) products.set(product.at, product)
  }
  for (const { index, 0: head, 1: name } of text.matchAll(CALL)) {
    const position = ALLOCATORS[name]
    if (position === undefined) continue
    const size = listFrom(text, index + head.length)[position]
    see(size)
    const local = LOCAL.exec(text.slice(size.from, size.to))?.[1]
    if (local === undefined) continue
    const sets = text.matchAll(new RegExp(`\\(local\\.(?:set|tee) \\${local}(?=\\s)`, 'g'))
    for (const set of sets) see(listFrom(text, set.index + set[0].length)[0])
  }
  let checked = text
  for (const { at, head, operation } of [...products.values()].sort((a, b) => b.at - a.at))
    checked = `${checked.slice(0, at)}(call $sized_${operation}${checked.slice(at + head.length)}`
  return { text: checked, count: products.size }
}

/** What the checks call. `refuse` is what is done about a size that cannot be. */
export const sizeFunctions = refuse => `
 (func $sized_shl (param $count i32) (param $by i32) (result i32)
  (if (i32.gt_u (local.get $count) (i32.shr_u (i32.const 0x7fffffff) (local.get $by))) (then ${refuse}))
  (i32.shl (local.get $count) (local.get $by)))
 (func $sized_mul (param $count i32) (param $by i32) (result i32)
  (if (i64.gt_u (i64.mul (i64.extend_i32_u (local.get $count)) (i64.extend_i32_u (local.get $by))) (i64.const 0x7fffffff))
   (then ${refuse}))
  (i32.mul (local.get $count) (local.get $by)))`
