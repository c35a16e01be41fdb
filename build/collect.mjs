// Has the engine collect cycles by the bytes that it holds, and once more before it says that there is no room; and ends a
// program for which there is none.
//
// As built, it counts eight bytes for each block, whatever the block holds, and collects by that count alone: sixty megabytes
// that only lead back to themselves are nothing to it, and nothing collects them when the memory may not grow. And what it does
// about a block that it does not get is not safe everywhere: it frees a value twice, or writes to one that it has freed.

import { editsOf, expression } from './edit-text.mjs'

const { assert, replace } = editsOf('The engine')

// Functions of the pinned build. The first three are what the engine sets memory aside with, and keep its count.
const MALLOC = '$480'
const FREE = '$1041'
const REALLOC = '$1040'
const RAW_MALLOC = '$131'
const RAW_FREE = '$123'
const RAW_REALLOC = '$756'
const NEW_OBJECT = '$235'
const NEW_MAP_ENTRY = '$458'
const THROW_OUT_OF_MEMORY = '$182'
const RUN_COLLECTOR = '$712'
const WRITE_STACK = '$329'
const FREE_VALUE = '$0'

// Where a runtime and a context keep what is used here.
const RUNTIME = '(i32.load offset=16 (local.get $context))'
const COUNTED = 'offset=20'
const THRESHOLD = 'offset=108'
const PHASE = 'offset=104'
const IS_OUT_OF_MEMORY = 'offset=145'
/** The phase again, from where a runtime keeps the state of its memory. */
const PHASE_BY_STATE = 'offset=88'

/**
 * Where a collection may come between, and how often such a place calls what sets memory aside. At each of them every object is
 * whole and whatever the engine goes on with is held. Not so everywhere: `$107` goes on with a shape that it does not hold.
 */
const PLACES = {
  // Texts, and texts that grow.
  $98: { $205: 1 },
  $126: { $205: 1 },
  $264: { $205: 1 },
  $377: { $205: 1 },
  $500: { $205: 1 },
  $563: { $205: 2 },
  $752: { $205: 1 },
  $306: { $176: 1 },
  $490: { $176: 1 },
  // Lists that grow, members of arrays, what is sorted.
  $65: { $176: 1 },
  $262: { $176: 1 },
  $645: { $176: 1 },
  // Buffers, objects and their properties, entries of maps and sets.
  $279: { $44: 1 },
  $235: { $20: 2 },
  $692: { $161: 1, $20: 1 },
  $458: { $161: 1, $20: 1 },
}

const KIB = 1024
/** What must be left for an error to be made of a refusal, and for what the engine does on the way. */
const SPARE = 64 * KIB
/** Bytes that may be set aside between two collections: half of what is held, at least so many, at most half of the room left. */
const LEAST_STEP = 4096 * KIB
/** Less than this is not waited for, however little room is left. */
const SHORTEST_STEP = 1024 * KIB

/** What a block takes, by what the allocator has written before it. */
const sizeOf = block => `(i32.and (i32.load (i32.sub ${block} (i32.const 4))) (i32.const -8))`

const LESS_ONE_BLOCK = expression('(i32.sub (i32.load offset=4 (local.get $0)) (i32.const 8))')
const lessBlock = `(i32.sub (i32.load offset=4 (local.get $0)) ${sizeOf('(local.get $1)')})`

const EDITS = {
  [MALLOC]: text =>
    replace(
      replace(
        text,
        expression('(i32.add (local.get $3) (i32.const 8))'),
        `(i32.add (local.get $3) ${sizeOf('(local.get $1)')})`,
      ),
      expression('(return (local.get $2))'),
      '(if (i32.eqz (local.get $2)) (then (call $refuse (local.get $0)))) (return (local.get $2))',
    ),
  [FREE]: text => replace(text, LESS_ONE_BLOCK, lessBlock),
  [REALLOC]: text =>
    replace(
      replace(text, LESS_ONE_BLOCK, lessBlock),
      `(call ${RAW_REALLOC}`,
      '(call $counted_realloc (local.get $0)',
    ),
  [NEW_OBJECT]: text => {
    const from = text.indexOf(`(call ${RUN_COLLECTOR}`)
    const to = text.indexOf('\n  (block', from)
    assert(from > 0 && to > from, 'the engine collects elsewhere')
    const trigger = text.slice(from, to)
    assert(trigger.includes(`(i32.store ${THRESHOLD}`), 'the engine sets its threshold elsewhere')
    return `${text.slice(0, from)}(call $collect (local.get $0)) ) )${text.slice(to)}`
  },
  // An entry is found by the collector before its value is written.
  [NEW_MAP_ENTRY]: text => {
    const first = '(i32.store8 offset=4\n'
    const at = text.indexOf(first)
    assert(at > 0, 'an entry of a map begins otherwise')
    return `${text.slice(0, at)}(i64.store offset=32 (local.get $3) (i64.const ${3n << 32n}))\n   ${text.slice(at)}`
  },
  // What it is given may be the exception that is thrown, which another one frees.
  [WRITE_STACK]: text => replace(text, `(func ${WRITE_STACK} `, `(func ${WRITE_STACK}_of_held `),
  // To say it makes an object, which may begin a collection inside of the one that needed the room.
  [THROW_OUT_OF_MEMORY]: text =>
    replace(
      text,
      '(local $2 i32)\n',
      `(local $2 i32)\n  (if (i32.load8_u ${PHASE} (i32.load offset=16 (local.get $0))) (then (return)))\n`,
    ),
}

/** One function with what is changed of it, and the number of places where it may now collect. */
export function collectByBytes(name, text) {
  let places = 0
  let edited = text
  for (const [callee, count] of Object.entries(PLACES[name] ?? {})) {
    const call = new RegExp(`\\(call \\${callee}(?=[\\s)])`, 'g')
    edited = editsOf(`The engine's function ${name}`).replace(
      edited,
      call,
      `(call ${callee}_with_room`,
      count,
    )
    places += count
  }
  return { text: EDITS[name]?.(edited) ?? edited, places }
}

const SET_ASIDE = `(call_indirect (type $3) (i32.add ${RUNTIME} (i32.const 16)) (local.get $bytes) (i32.load ${RUNTIME}))`
const SET_ASIDE_AGAIN = `(call_indirect (type $1) (i32.add ${RUNTIME} (i32.const 16)) (local.get $block)
   (local.get $bytes) (i32.load offset=8 ${RUNTIME}))`

/** Tries; collects if there is no room; and leaves the second try, which may say that there is none, to the engine's own. */
const withRoom = ({ callee, params, first, then = '', bytes }) => `
 (func ${callee}_with_room (param $context i32) ${params.map(param => `(param ${param} i32)`).join(' ')} (result i32)
  (local $found i32)
  (global.set $trying (i32.const 1))
  (local.set $found ${first})
  (global.set $trying (i32.const 0))
  (if (local.get $found) (then ${then} (return (local.get $found))))
  (call $make_room (local.get $context) ${bytes})
  (call ${callee} (local.get $context) ${params.map(param => `(local.get ${param})`).join(' ')}))`

const TRIES = [
  { callee: '$20', params: ['$bytes'], first: SET_ASIDE },
  {
    callee: '$44',
    params: ['$bytes'],
    first: SET_ASIDE,
    then: '(call $charged_fill (local.get $found) (i32.const 0) (local.get $bytes))',
  },
  { callee: '$161', params: ['$block', '$bytes'], first: SET_ASIDE_AGAIN },
  {
    callee: '$176',
    params: ['$block', '$bytes', '$slack'],
    first: SET_ASIDE_AGAIN,
    then: '(i32.store (local.get $slack) (i32.const 0))',
  },
  {
    callee: '$205',
    params: ['$units', '$isWide'],
    first: `(call $741 ${RUNTIME} (local.get $units) (local.get $isWide))`,
    bytes: '(i32.shl (local.get $units) (local.get $isWide))',
  },
]

/**
 * What the changed functions call. The heap begins at `heapStart`; the host sets `$ceiling` to where it ends. `end` is what is done
 * about a program that there is no room for, `note` where it may go on.
 */
export const collectFunctions = ({ heapStart, end, note }) => `
 ;; A block was not to be had. Unless there is another try, or what is left is enough to go on with, the program ends.
 (func $refuse (param $state i32)
  (local $spare i32)
  (if (i32.or (global.get $trying) (i32.load8_u ${PHASE_BY_STATE} (local.get $state))) (then (return)))
  (if (local.tee $spare (call ${RAW_MALLOC} (i32.const ${SPARE})))
   (then
    (call ${RAW_FREE} (local.get $spare))
    ${note}
    (return)))
  ${end})
 (func ${WRITE_STACK} (param $context i32) (param $error i64) (param i32) (param i32) (param i32) (param i32)
  (local $isObject i32)
  (if (local.tee $isObject (i64.ge_u (local.get $error) (i64.const -4294967296)))
   (then
    (i32.store (i32.wrap_i64 (local.get $error))
     (i32.add (i32.load (i32.wrap_i64 (local.get $error))) (i32.const 1)))))
  (call ${WRITE_STACK}_of_held (local.get $context) (local.get $error)
   (local.get 2) (local.get 3) (local.get 4) (local.get 5))
  (if (local.get $isObject) (then (call ${FREE_VALUE} (local.get $context) (local.get $error)))))
 (func $counted_realloc (param $state i32) (param $block i32) (param $bytes i32) (result i32)
  (local $before i32) (local $found i32)
  (local.set $before ${sizeOf('(local.get $block)')})
  (if (local.tee $found (call ${RAW_REALLOC} (local.get $block) (local.get $bytes)))
   (then
    (i32.store offset=4 (local.get $state)
     (i32.sub (i32.add (i32.load offset=4 (local.get $state)) ${sizeOf('(local.get $found)')}) (local.get $before))))
   (else (call $refuse (local.get $state))))
  (local.get $found))
 (func $next_collection (param $held i32) (result i32)
  (local $step i32) (local $most i32)
  (local.set $most (i32.shr_s (i32.sub (i32.sub (global.get $ceiling) (i32.const ${heapStart})) (local.get $held)) (i32.const 1)))
  (if (i32.lt_s (local.get $most) (i32.const ${SHORTEST_STEP})) (then (local.set $most (i32.const ${SHORTEST_STEP}))))
  (local.set $step (i32.shr_u (local.get $held) (i32.const 1)))
  (if (i32.lt_u (local.get $step) (i32.const ${LEAST_STEP})) (then (local.set $step (i32.const ${LEAST_STEP}))))
  (i32.add (local.get $held)
   (select (local.get $step) (local.get $most) (i32.lt_u (local.get $step) (local.get $most)))))
 ;; Never inside of a collection, and not while the engine says that memory is used up.
 (func $collect (param $context i32)
  (local $runtime i32)
  (local.set $runtime ${RUNTIME})
  (if (i32.or (i32.load8_u ${PHASE} (local.get $runtime)) (i32.load8_u ${IS_OUT_OF_MEMORY} (local.get $runtime)))
   (then (return)))
  (call ${RUN_COLLECTOR} (local.get $runtime) (i32.const 1))
  (i32.store ${THRESHOLD} (local.get $runtime) (call $next_collection (i32.load ${COUNTED} (local.get $runtime)))))
 ;; What is more than the whole memory will not fit then either.
 (func $make_room (param $context i32) (param $bytes i32)
  (if (i32.lt_u (local.get $bytes) (global.get $ceiling)) (then (call $collect (local.get $context)))))
${TRIES.map(tries => withRoom({ bytes: '(local.get $bytes)', ...tries })).join('')}`

/** How many places may collect. */
export const COLLECTING_PLACES = Object.values(PLACES).reduce(
  (sum, calls) => sum + Object.values(calls).reduce((a, b) => a + b, 0),
  0,
)
