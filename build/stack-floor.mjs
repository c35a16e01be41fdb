// Has the engine end where its stack does. The engine looks at its stack where programs can nest calls, and not in its own functions
// that call one another; below the stack lies its static data. So whatever takes room is followed by a look.

import { endOf } from './edit-text.mjs'

const TAKES_ROOM = /\(global\.set \$global\$0\s+\(local\.tee /g

/** One function with a look at the stack wherever it takes room there, and how often it does. `end` is what it does below the floor. */
export function checkStack(text, floor, end) {
  let checked = ''
  let done = 0
  let count = 0
  for (const { index } of text.matchAll(TAKES_ROOM)) {
    const to = endOf(text, index)
    // Signed: more room than there is below leads below zero.
    checked += `${text.slice(done, to)} (if (i32.lt_s (global.get $global$0) (i32.const ${floor})) (then ${end}))`
    done = to
    count += 1
  }
  return { text: checked + text.slice(done), count }
}
