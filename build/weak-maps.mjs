// Has the engine hold what a `WeakMap` has for a key as long as both are there, the map and the key.
//
// As built, a map that is there holds all its values, so a value that leads back to its key is there for ever. A collection takes off
// every reference, puts those back that come from what is held from outside, and frees what has none then. Here the reference of an
// entry is put back once both its map and its key are found to be held. An entry whose map is found first waits at its key: in a
// chain that begins where the key keeps the number of its weak references, and ends with that number. So each entry is looked
// at twice at the most, however they lead to each other.

import { editsOf, expression } from './edit-text.mjs'

const { assert, replace } = editsOf('The engine')

// Functions of the pinned build, and two of them as they are handed to one that marks: by their places in the table.
const COLLECTOR = '$712'
const MARK_MAP = '$1052'
const FOUND = '$1080'
const FREE_VALUE = '$15'
const FINDS = 61
const PUTS_BACK = 60

/** Where a map's state lies in it, and in that whether it is weak, the head of its list and the first link. */
const STATE = 'offset=32'
const HEAD = 4
const FIRST = 'offset=8'
/** An entry begins so many bytes before its link. */
const LINK = 8
/** In an entry: four bytes that nothing uses, the key, the kind of the key, the value. */
const WAITING = 'offset=20'
const KEY = 'offset=24'
const KIND = 'offset=28'
const VALUE = 'offset=32'
/** In whatever is collected: what it is, and whether the collection has yet to find it. */
const FLAGS = 'offset=4'
const NOT_FOUND = 16
const WHAT = 15
/** In an object, which is what 0 says that it is: the number of weak references. */
const WEAK_REFERENCES = 'offset=16'

const OBJECT = -1
const UNDEFINED = 3n << 32n
/** Values from here on are collected. */
const COLLECTED = -12884901888n
const IS_CHAIN = -0x80000000

const waits = key => `(i32.lt_s (i32.load ${WEAK_REFERENCES} ${key}) (i32.const 0))`
const after = (text, call, then) => replace(text, expression(call), found => `${found} ${then}`)

const FINDING = `(call $484 (local.get $0) (local.get $4) (i32.const ${FINDS}))`
const LEFT = '(i32.sub (local.get $1) (i32.const 8))'
const LEAVING = `(call $484 (local.get $0) ${LEFT} (i32.const ${PUTS_BACK}))`

const served = (key, isHeld) =>
  `(if ${waits(key)} (then (call $serve_entries (local.get $0) ${key} (i32.const ${isHeld}))))`

const EDITS = {
  [COLLECTOR]: text => after(after(text, FINDING, served('(local.get $4)', 1)), LEAVING, served(LEFT, 0)),
  [MARK_MAP]: text => replace(text, `(func ${MARK_MAP} `, `(func ${MARK_MAP}_and_values `),
}

/** One function as it should be for weak maps. */
export const mendWeakMaps = (name, text) => EDITS[name]?.(text) ?? text

/** Whether the functions that are named by their places in the table stand there. */
export function checkMarks(text) {
  const [, elements] = /\(elem \$0 \(i32\.const 1\) ([^)]*)\)/.exec(text) ?? []
  assert(elements !== undefined, 'no table')
  const at = place => elements.split(' ')[place - 1]
  assert(at(FINDS) === FOUND && at(PUTS_BACK) === '$1081', `${at(FINDS)} and ${at(PUTS_BACK)} mark`)
}

/** What the changed functions call; `charge` is what each turn of a loop pays. */
export const weakMapFunctions = charge => `
 (func ${MARK_MAP} (param $runtime i32) (param $map i64) (param $mark i32)
  (local $state i32)
  (local.set $state (i32.load ${STATE} (i32.wrap_i64 (local.get $map))))
  (if (i32.and (i32.eq (local.get $mark) (i32.const ${FINDS})) (i32.ne (local.get $state) (i32.const 0)))
   (then
    (if (i32.load (local.get $state))
     (then
      (call $find_entries (local.get $runtime) (local.get $state))
      (return)))))
  (call ${MARK_MAP}_and_values (local.get $runtime) (local.get $map) (local.get $mark)))
 ;; A weak map is found to be held: so are the values whose keys are. Symbols have no part in collections.
 (func $find_entries (param $runtime i32) (param $state i32)
  (local $head i32) (local $link i32) (local $entry i32) (local $key i32)
  (local.set $head (i32.add (local.get $state) (i32.const ${HEAD})))
  (local.set $link (i32.load ${FIRST} (local.get $state)))
  (block $done
   (loop $next
    (br_if $done (i32.eq (local.get $link) (local.get $head)))
    ${charge}
    (local.set $entry (i32.sub (local.get $link) (i32.const ${LINK})))
    (local.set $link (i32.load offset=4 (local.get $link)))
    (if (i32.eq (i32.load ${KIND} (local.get $entry)) (i32.const ${OBJECT}))
     (then
      (if (i32.eqz (i32.load (local.tee $key (i32.load ${KEY} (local.get $entry)))))
       (then
        (if (i32.and (i32.load8_u ${FLAGS} (local.get $key)) (i32.const ${NOT_FOUND}))
         (then
          (i32.store ${WAITING} (local.get $entry) (i32.load ${WEAK_REFERENCES} (local.get $key)))
          ;; Entries lie at multiples of eight.
          (i32.store ${WEAK_REFERENCES} (local.get $key)
           (i32.or (i32.shr_u (local.get $entry) (i32.const 1)) (i32.const ${IS_CHAIN}))))
         ;; It was freed since the collection began, or by the one before.
         (else (call $let_go (local.get $runtime) (local.get $entry))))
        (br $next)))))
    (call $find_value (local.get $runtime) (local.get $entry))
    (br $next))))
 (func $find_value (param $runtime i32) (param $entry i32)
  (if (i64.ge_u (i64.load ${VALUE} (local.get $entry)) (i64.const ${COLLECTED}))
   (then (call ${FOUND} (local.get $runtime) (i32.load ${VALUE} (local.get $entry))))))
 ;; Nobody can ask for the value any more. Its reference has been taken off if it is one that is collected.
 (func $let_go (param $runtime i32) (param $entry i32)
  (local $value i64)
  (local.set $value (i64.load ${VALUE} (local.get $entry)))
  (i64.store ${VALUE} (local.get $entry) (i64.const ${UNDEFINED}))
  (if (i64.lt_u (local.get $value) (i64.const ${COLLECTED}))
   (then (call ${FREE_VALUE} (local.get $runtime) (local.get $value)))))
 ;; The entries that wait at a key, which is found to be held, or is not.
 (func $serve_entries (param $runtime i32) (param $key i32) (param $is_held i32)
  (local $chain i32) (local $entry i32)
  (if (i32.and (i32.load8_u ${FLAGS} (local.get $key)) (i32.const ${WHAT})) (then (return)))
  (loop $next
   (if (i32.ge_s (local.tee $chain (i32.load ${WEAK_REFERENCES} (local.get $key))) (i32.const 0)) (then (return)))
   ${charge}
   (local.set $entry (i32.shl (local.get $chain) (i32.const 1)))
   (i32.store ${WEAK_REFERENCES} (local.get $key) (i32.load ${WAITING} (local.get $entry)))
   (if (local.get $is_held)
    (then (call $find_value (local.get $runtime) (local.get $entry)))
    (else (call $let_go (local.get $runtime) (local.get $entry))))
   (br $next)))`
