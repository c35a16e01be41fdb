// Mends in the binary what the pinned engine gets wrong in the language itself.
import { editsOf, expression } from './edit-text.mjs'

const { assert, replace } = editsOf('The engine')

// Functions of the pinned build.
const NEXT_OF_HELPER = '$1228'
const COPY_PROPERTIES = '$720'
const BEGIN_BLOCK = '$94'
const ANSWER_OF_GENERATOR = '$364'
const AWAITED_BY_GENERATOR = '$979'
const GO_ON_WITH_REQUESTS = '$628'
const FREE_VALUE = '$0'
const TO_OBJECT = '$19'
const NEXT_OF_ITERATOR = '$38'
const PARSE_STATEMENT = '$210'
const PARSE_PATTERN = '$190'
const EMIT_PLACE = '$79'
const MAKE_FUNCTION = '$633'
const THROW_STACK_OVERFLOW = '$97'
const SKIP_DEAD_CODE = '$287'
const EMIT_LABEL = '$17'
const CHECK_PARAMETER = '$428'

/** What functions in one another may take of the stack past the engine's limit: it comes to 450 in one another. */
const MORE_STACK = 256 * 1024
/** States of an async generator. */
const RUNNING = 3
const ENDED = 5
/** Numbers of blocks are written in 16 bits. */
const MOST_BLOCKS = 65_535

const insertAfter = (text, pattern, what) => replace(text, pattern, found => `${found} ${what}`)

const insertBefore = (text, pattern, what) => replace(text, pattern, found => `${what} ${found}`)

function rename(text, name, to) {
  assert(text.startsWith(`\n (func ${name} `), `no function ${name}`)
  return text.replace(`(func ${name} `, () => `(func ${to} `)
}

const TOKEN_PLACE = '(i32.load offset=12 (local.get $0))'
const emitPlace = place => `(call ${EMIT_PLACE} (local.get $0) ${place})`

const mends = end => ({
  // Statements, patterns and what is gone through had no places of their own: their failures were told at what had stood before.
  [PARSE_STATEMENT]: text => {
    let made = replace(text, '(local $18 i32)', '(local $18 i32) (local $list i32)')
    made = insertAfter(made, expression('(local.set $13 (i32.load (local.get $0)))'), emitPlace(TOKEN_PLACE))
    made = insertBefore(made, /\(block \$block78\s/g, `(local.set $list ${TOKEN_PLACE})`)
    const begins =
      '(call $1 (i32.load offset=52 (local.get $0)) (select (select (i32.const 123) (i32.const 124)'
    made = insertBefore(made, expression(begins), emitPlace('(local.get $list)'))
    // The variables of a catch pattern began to be when the code before them ended, which nothing reaches.
    const scope = `(drop (call ${BEGIN_BLOCK} (local.get $0)))`
    const label = `(call ${EMIT_LABEL} (local.get $0) (local.get $2))`
    made = replace(made, expression(`${scope} ${label}`), `${label} ${scope}`)
    const goesOn = '(local.set $2 (i32.load offset=52 (local.get $0))) (local.set $1 (block $block79'
    return insertBefore(made, expression(goesOn), emitPlace('(local.get $list)'))
  },
  // The name of a class in a default, which has a scope of its own, was taken for another parameter.
  [CHECK_PARAMETER]: text =>
    insertAfter(
      text,
      /\(local\.get \$1\)\s*\)\s*\)(?=\s*\)\s*\(br \$block1\))/g,
      `(br_if $label
    (i32.ne
     (i32.load offset=4
      (i32.add (i32.load offset=112 (local.get $4)) (i32.mul (i32.sub (local.get $2) (i32.const 1)) (i32.const 20))))
     (i32.load offset=188 (local.get $4))))`,
    ),
  [PARSE_PATTERN]: text =>
    insertAfter(
      text,
      expression('(local.set $15 (i32.load offset=260 (i32.load offset=52 (local.get $0))))'),
      emitPlace(TOKEN_PLACE),
    ),
  // `map` of an iterator kept each item that it had handed on. And to leave a loop over a helper was a TypeError where what it
  // helps has no `return`, such as the values of an array.
  [NEXT_OF_HELPER]: text =>
    insertAfter(
      replace(
        text,
        new RegExp(`\\(call \\${NEXT_OF_ITERATOR}(?=\\s)`, 'g'),
        call => `${call}_or_end (local.get $5)`,
        7,
      ),
      expression(
        '(local.set $6 (call $9 (local.get $0) (i64.load offset=16 (local.get $2)) (i64.const 12884901888) (i32.const 2) (local.get $3)))',
      ),
      `(call ${FREE_VALUE} (local.get $0) (local.get $1))`,
    ),
  // Of what was asked of an async generator that has ended, one thing was answered, and the rest never.
  [GO_ON_WITH_REQUESTS]: text => rename(text, GO_ON_WITH_REQUESTS, `${GO_ON_WITH_REQUESTS}_once`),
  // A text in `{ ...text }` was taken for nothing.
  [COPY_PROPERTIES]: text => rename(text, COPY_PROPERTIES, `${COPY_PROPERTIES}_of_object`),
  // While an async generator settles the promise of a request, a `then` getter can make another. It is for later.
  [ANSWER_OF_GENERATOR]: text =>
    insertAfter(
      replace(
        replace(text, '(local $4 i32)', '(local $4 i32) (local $state i32)'),
        /\(call \$625\s/g,
        call => `(local.set $state (i32.load offset=4 (local.get $1)))
   (i32.store offset=4 (local.get $1) (i32.const ${RUNNING}))
   ${call}`,
      ),
      /\(call \$625\s[\s\S]*?\n {2}\)/g,
      `(if (i32.eq (i32.load offset=4 (local.get $1)) (i32.const ${RUNNING}))
   (then (i32.store offset=4 (local.get $1) (local.get $state))))`,
    ),
  // What was asked of it while it awaited what `return` was called with was never answered.
  [AWAITED_BY_GENERATOR]: text => {
    const goesOn = `(call ${GO_ON_WITH_REQUESTS} (local.get $0) (local.get $2)) (br $block2)`
    return replace(text, expression('(br $block2)'), goesOn, 2)
  },
  // Block 65 536 and all after it were taken for those from the first on.
  [BEGIN_BLOCK]: text =>
    insertAfter(
      text,
      expression('(if (i32.eqz (local.tee $1 (i32.load offset=52 (local.get $0)))) (then (br $block)))'),
      `(if (i32.ge_u (i32.load offset=200 (local.get $1)) (i32.const ${MOST_BLOCKS})) (then ${end}))`,
    ),
  // Functions in one another took the whole stack, and then what lies below it. And to write to a constant was told at a statement
  // after it.
  [MAKE_FUNCTION]: text =>
    replace(
      rename(text, MAKE_FUNCTION, `${MAKE_FUNCTION}_in_room`),
      expression(
        `(local.set $6 (call ${SKIP_DEAD_CODE} (local.get $1) (local.get $13) (local.get $9) (local.get $6) (i32.add (local.get $3) (i32.const 880)))) (br $block71)`,
      ),
      found => found.replace(SKIP_DEAD_CODE, `${SKIP_DEAD_CODE}_without_places`),
    ),
})

/** One function as it should be, and whether it was not. */
export function mendFunction(name, text, end) {
  const mend = mends(end)[name]
  return { text: mend?.(text) ?? text, isMended: mend !== undefined }
}

/** How many functions are mended. */
export const MENDED = Object.keys(mends('')).length

/** What the mended functions are called by. */
export const MEND_FUNCTIONS = `
 (func ${SKIP_DEAD_CODE}_without_places (param $function i32) (param $code i32) (param $end i32) (param $at i32) (param $place i32)
  (result i32)
  (local $before i32)
  (local.set $before (i32.load (local.get $place)))
  (call ${SKIP_DEAD_CODE} (local.get $function) (local.get $code) (local.get $end) (local.get $at) (local.get $place))
  (i32.store (local.get $place) (local.get $before)))
 (func ${MAKE_FUNCTION} (param $context i32) (param $function i32) (result i64)
  (if
   (i32.gt_u
    (i32.sub (i32.load offset=128 (i32.load offset=16 (local.get $context))) (i32.const ${MORE_STACK}))
    (global.get $global$0))
   ;; Who has read the function frees it, with those in it.
   (then (call ${THROW_STACK_OVERFLOW} (local.get $context)) (return (i64.const ${6n << 32n}))))
  (call ${MAKE_FUNCTION}_in_room (local.get $context) (local.get $function)))
 (func ${NEXT_OF_ITERATOR}_or_end (param $isReturn i32) (param $context i32) (param $iterator i64) (param $method i64) (param $done i32)
  (result i64)
  (if
   (i32.and
    (i32.eq (local.get $isReturn) (i32.const 1))
    ;; undefined or null
    (i64.eq (i64.or (i64.shr_u (local.get $method) (i64.const 32)) (i64.const 1)) (i64.const 3)))
   (then (i32.store (local.get $done) (i32.const 1)) (return (i64.const ${3n << 32n}))))
  (call ${NEXT_OF_ITERATOR} (local.get $context) (local.get $iterator) (local.get $method) (local.get $done)))
 (func ${GO_ON_WITH_REQUESTS} (param $context i32) (param $generator i32)
  (loop $next
   (call ${GO_ON_WITH_REQUESTS}_once (local.get $context) (local.get $generator))
   (if (i32.eq (i32.load offset=4 (local.get $generator)) (i32.const ${ENDED}))
    (then
     ;; Until the list of requests is the list's own head.
     (br_if $next
      (i32.ne (i32.load offset=16 (local.get $generator)) (i32.add (local.get $generator) (i32.const 12))))))))
 (func ${COPY_PROPERTIES} (param $context i32) (param $target i64) (param $source i64) (param $excluded i64) (param $sets i32)
  (result i32)
  (local $failed i32)
  (if (i32.ge_u (i32.add (i32.wrap_i64 (i64.shr_u (local.get $source) (i64.const 32))) (i32.const 7)) (i32.const 2))
   (then
    (return
     (call ${COPY_PROPERTIES}_of_object (local.get $context) (local.get $target) (local.get $source) (local.get $excluded)
      (local.get $sets)))))
  (local.set $source (call ${TO_OBJECT} (local.get $context) (local.get $source)))
  (if (i64.lt_u (local.get $source) (i64.const -4294967296)) (then (return (i32.const -1))))
  (local.set $failed
   (call ${COPY_PROPERTIES}_of_object (local.get $context) (local.get $target) (local.get $source) (local.get $excluded)
    (local.get $sets)))
  (call ${FREE_VALUE} (local.get $context) (local.get $source))
  (local.get $failed))`
