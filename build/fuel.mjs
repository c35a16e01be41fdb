// Instruments the engine so that nothing a program does can run past its deadline: each loop pays fuel, and when it is used
// up the engine asks its host, which may throw. Works on binaryen's text form.
import binaryen from 'binaryen'
import { assemble } from './assemble.mjs'
import { checkSizes, sizeFunctions } from './check-sizes.mjs'
import { COLLECTING_PLACES, collectByBytes, collectFunctions } from './collect.mjs'
import { editsOf } from './edit-text.mjs'
import { MEND_FUNCTIONS, MENDED, mendFunction } from './mend-engine.mjs'
import { checkStack } from './stack-floor.mjs'
import { checkMarks, mendWeakMaps, weakMapFunctions } from './weak-maps.mjs'

const { assert, replace } = editsOf('The engine')

// Found in the pinned build. Any other numbers mean another engine, to be looked at by a person.
const EXPECTED = {
  loops: 1079,
  bulkOperations: 98,
  dispatchLoops: 2,
  initialPages: 256,
  sizes: 63,
  stackRoom: 415,
}
const STACK = { bytes: 5_242_880, top: 5_333_088, tops: 2, breakData: '(data $80 (i32.const 86864) "``Q")' }
/** The interpreter's jump table stands out: one target for each opcode, inside its dispatch loop. */
const LEAST_OPCODES = 200
const CLEARLY_WIDEST = 1.5
/** Opcodes of one frame between two marks; a power of two. */
const OPCODES_PER_MARK = 2048
/** Marks that one stretch of straight-line code may pass: four million opcodes, a few tens of milliseconds. */
const MOST_MARKS = 2048
/**
 * How far the fuel may go below zero. Polls fill it up, and what makes the engine poll lies in its memory: should a program ever
 * write there, its loops still end, in a second or so. Far beyond what memory that grows is charged at once.
 */
const MOST_DEBT = 200_000_000
const LARGE_BULK_BYTES = 4095
/** What is copied or filled between two checks. */
const PIECE_BYTES = 1_048_576
/** Where the engine says that a limit of its own was met: the text of the error, how often it is used, and its mark. */
const REPORTS = [
  { text: 'stack overflow', at: 4474, uses: 5, mark: 1 },
  { text: 'out of memory', at: 3697, uses: 2, mark: 2 },
]
/** A stack that the engine's own limit, 128 KiB, is far from filling; less to clear when an instance is reset. */
const STACK_BYTES = 524_288
/** Static data, the stack, and room for the prelude: what every instance begins with. */
const INITIAL_PAGES = 24

const CHECK = '(if (i32.lt_s (global.get $fuel) (i32.const 0)) (then (call $tick)))'
const charge = cost => `(global.set $fuel (i32.sub (global.get $fuel) ${cost})) ${CHECK}`
const LOOP_CHARGE = charge('(i32.const 1)')
// Calls nothing: a call in the dispatch loop makes the whole interpreter slower by a third. It uses up the engine's own
// counter instead, so that the next jump back or call polls. A counter below zero counts the marks passed without either. What
// the opcodes cost is taken off the fuel, which the poll looks at.
const POLLS = '(global.get $polls)'
const DISPATCH_MARK = `(if (i32.eqz (i32.and
  (local.tee $opcodes (i32.add (local.get $opcodes) (i32.const 1))) (i32.const ${OPCODES_PER_MARK - 1})))
 (then
  (local.set $marks (i32.load ${POLLS}))
  (local.set $marks (i32.sub (i32.and (local.get $marks) (i32.shr_s (local.get $marks) (i32.const 31))) (i32.const 1)))
  (i32.store ${POLLS} (local.get $marks))
  (global.set $fuel (i32.sub (global.get $fuel) (i32.const ${OPCODES_PER_MARK})))
  (if (i32.or (i32.lt_s (local.get $marks) (i32.const -${MOST_MARKS})) (i32.lt_s (global.get $fuel) (i32.const -${MOST_DEBT})))
   (then (unreachable)))))`

// In pieces: a gigabyte in one would take a second, and the pages under it are made while it is written.
const nextPiece = `(local.set $piece (select (local.get $bytes) (i32.const ${PIECE_BYTES})
    (i32.lt_u (local.get $bytes) (i32.const ${PIECE_BYTES}))))
   ${charge('(i32.shr_u (local.get $piece) (i32.const 4))')}`
const isSmall = `(i32.le_u (local.get $bytes) (i32.const ${LARGE_BULK_BYTES}))`
const add = (name, amount) => `(local.set ${name} (i32.add (local.get ${name}) (local.get ${amount})))`
const less = `(local.set $bytes (i32.sub (local.get $bytes) (local.get $piece)))`
const BULK_FUNCTIONS = `
 (func $charged_fill (param $to i32) (param $byte i32) (param $bytes i32) (local $piece i32)
  (if ${isSmall} (then (memory.fill (local.get $to) (local.get $byte) (local.get $bytes)) (return)))
  (loop $next
   ${nextPiece}
   (memory.fill (local.get $to) (local.get $byte) (local.get $piece))
   ${add('$to', '$piece')} ${less}
   (br_if $next (local.get $bytes))))
 (func $charged_copy (param $to i32) (param $from i32) (param $bytes i32) (local $piece i32)
  (if ${isSmall} (then (memory.copy (local.get $to) (local.get $from) (local.get $bytes)) (return)))
  ;; A copy into what it has yet to read begins at its end.
  (if (i32.lt_u (i32.sub (local.get $to) (local.get $from)) (local.get $bytes))
   (then
    (loop $back
     ${nextPiece}
     ${less}
     (memory.copy (i32.add (local.get $to) (local.get $bytes)) (i32.add (local.get $from) (local.get $bytes))
      (local.get $piece))
     (br_if $back (local.get $bytes)))
    (return)))
  (loop $next
   ${nextPiece}
   (memory.copy (local.get $to) (local.get $from) (local.get $piece))
   ${add('$to', '$piece')} ${add('$from', '$piece')} ${less}
   (br_if $next (local.get $bytes))))`

const mark = bit => `(global.set $reports (i32.or (global.get $reports) (i32.const ${bit})))`
const reported = ({ text }) => `$reported_${text.replaceAll(' ', '_')}`
// A program can make such an error too, word for word. What it cannot do is set the mark.
const REPORT_FUNCTIONS = REPORTS.map(
  report => `
 (func ${reported(report)} (result i32)
  ${mark(report.mark)}
  (i32.const ${report.at}))`,
).join('')

const MEMORY_REFUSED = mark(REPORTS[1].mark)
/** The host knows the trap by the mark. */
const END_FOR_MEMORY = `${mark(4)} (unreachable)`

/** Likewise, where the stack is at its end and nothing has looked before. */
const END_FOR_STACK = `${mark(8)} (unreachable)`
const STACK_FLOOR = STACK.top - STACK.bytes
const HEAP_START = STACK.top - STACK.bytes + STACK_BYTES
const ADDED_FUNCTIONS = [
  BULK_FUNCTIONS,
  REPORT_FUNCTIONS,
  sizeFunctions(END_FOR_MEMORY),
  MEND_FUNCTIONS,
  weakMapFunctions(LOOP_CHARGE),
  collectFunctions({ heapStart: HEAP_START, end: END_FOR_MEMORY, note: MEMORY_REFUSED }),
].join('')
/** What of all this the host sets, reads and calls. */
const GLOBALS = ['fuel', 'polls', 'reports', 'ceiling', 'trying']
const FUNCTIONS = ['make_room', 'next_collection']

const LOOP_HEAD = /^\(loop(?: \$[^\s()]+)?(?: \(type [^)]*\))?(?: \(result [^)]*\))?/
const ESCAPES = { n: '\n', r: '\r', t: '\t' }
const TABLE_TARGETS = /^\(br_table((?: \$\S+)+)/

/** Where loops begin and end in a function's text, and its jump tables. */
function readFunction(text) {
  const open = []
  const loops = []
  const tables = []
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 0x28) open.push(i)
    if (c !== 0x29) continue
    const from = open.pop()
    if (text.startsWith('(loop', from)) loops.push({ from, to: i })
    if (!text.startsWith('(br_table', from)) continue
    const targets = TABLE_TARGETS.exec(text.slice(from, i))[1].split('$').length - 1
    tables.push({ from, targets })
  }
  const encloses = (loop, at) => loop.from < at && at < loop.to
  const looped = tables.filter(table => loops.some(loop => encloses(loop, table.from)))
  const widest = looped.reduce((a, b) => (b.targets > a.targets ? b : a), { from: -1, targets: 0 })
  return { loops, widest, encloses }
}

/** The one function that runs bytecode, told from the others by its jump table. */
function findInterpreter(functions) {
  const [first, second] = [...functions].sort((a, b) => b.read.widest.targets - a.read.widest.targets)
  const { targets } = first.read.widest
  const next = second.read.widest.targets
  assert(targets >= LEAST_OPCODES, `the widest jump table in a loop has ${targets} targets`)
  assert(targets >= CLEARLY_WIDEST * next, `two jump tables are alike: ${targets} and ${next} targets`)
  return first
}

function insertAll(text, edits) {
  const parts = []
  let done = 0
  for (const { at, what } of edits.sort((a, b) => a.at - b.at)) {
    parts.push(text.slice(done, at), ' ', what)
    done = at
  }
  return parts.join('') + text.slice(done)
}

const afterHead = (text, loop) => loop.from + LOOP_HEAD.exec(text.slice(loop.from, loop.from + 200))[0].length

const chargeLoops = ({ text, read }) =>
  insertAll(
    text,
    read.loops.map(loop => ({ at: afterHead(text, loop), what: LOOP_CHARGE })),
  )

/**
 * The interpreter polls by itself at jumps back and at calls. Its innermost dispatch loop counts opcodes in a local, for
 * straight-line code; loops that hold loops (walks along prototypes) pay as everywhere; the small ones are bounded.
 */
function chargeInterpreter({ text, read }) {
  const { loops, widest, encloses } = read
  const dispatch = loops.filter(loop => encloses(loop, widest.from))
  assert(dispatch.length === EXPECTED.dispatchLoops, `${dispatch.length} dispatch loops`)
  const innermost = dispatch.reduce((a, b) => (b.from > a.from ? b : a))
  const nested = loops.filter(
    loop => !dispatch.includes(loop) && loops.some(other => other !== loop && encloses(loop, other.from)),
  )
  assert(nested.length > 0, 'the interpreter has no nested loops of its own')
  const edits = nested.map(loop => ({ at: afterHead(text, loop), what: LOOP_CHARGE }))
  edits.push({ at: afterHead(text, innermost), what: DISPATCH_MARK })
  const charged = insertAll(text, edits)
  const firstLocal = charged.indexOf('\n  (local $')
  assert(firstLocal > 0, 'the interpreter has no locals')
  return `${charged.slice(0, firstLocal)}\n  (local $opcodes i32)\n  (local $marks i32)${charged.slice(firstLocal)}`
}

function insertBefore(text, marker, what) {
  const at = text.indexOf(marker)
  assert(at > 0, `no ${marker}`)
  return `${text.slice(0, at)}${what}\n ${text.slice(at)}`
}

/** The bytes of a piece of data as the text form writes them. */
const decodeData = text =>
  Buffer.from(
    text.replace(/\\([0-9a-f]{2}|.)/g, (_all, code) =>
      code.length === 2 ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPES[code] ?? code),
    ),
    'latin1',
  )

/** Has the engine note when it reports that its stack or its memory is used up. */
function markReports(text) {
  const pieces = [...text.matchAll(/\(data \$\S+ \(i32\.const (\d+)\) "((?:[^"\\]|\\.)*)"\)/g)]
  return REPORTS.reduce((marked, report) => {
    const holds = pieces.some(([, start, data]) => {
      const from = report.at - Number(start)
      return from >= 0 && decodeData(data).subarray(from).toString('latin1').startsWith(`${report.text}\0`)
    })
    assert(holds, `"${report.text}" does not stand at ${report.at}`)
    return replace(marked, `(i32.const ${report.at})`, `(call ${reported(report)})`, report.uses)
  }, text)
}

/** Lets an instance begin small: a smaller stack, the heap right above it, and no room before it is asked for. */
function shrinkMemory(text) {
  const [found, name, pages] = /\(memory (\$\S+) (\d+) /.exec(text) ?? []
  assert(Number(pages) === EXPECTED.initialPages, `a memory of ${pages} pages`)
  const escaped = [0, 8, 16]
    .map(shift => `\\${((HEAP_START >> shift) & 255).toString(16).padStart(2, '0')}`)
    .join('')
  let smaller = replace(text, found, `(memory ${name} ${INITIAL_PAGES} `)
  smaller = replace(smaller, `(i32.const ${STACK.top})`, `(i32.const ${HEAP_START})`, STACK.tops)
  smaller = replace(smaller, `(i32.const ${STACK.bytes})`, `(i32.const ${STACK_BYTES})`)
  return replace(smaller, STACK.breakData, STACK.breakData.replace('``Q', escaped))
}

/** The instrumented engine, and the index that its interpreter has among the module's functions. */
export function addFuel(input) {
  const source = binaryen.readBinary(input)
  const parts = source.emitText().split(/(?=\n \((?:func|data|export|import) )/)
  source.dispose()
  const functions = []
  for (const [i, text] of parts.entries())
    if (text.startsWith('\n (func ')) functions.push({ i, text, read: readFunction(text) })
  const loops = functions.reduce((sum, { read }) => sum + read.loops.length, 0)
  assert(loops === EXPECTED.loops, `${loops} loops`)
  const interpreter = findInterpreter(functions)
  let bulkOperations = 0
  let sizes = 0
  let collecting = 0
  let mended = 0
  let stackRoom = 0
  for (const fn of functions) {
    const charged = fn === interpreter ? chargeInterpreter(fn) : chargeLoops(fn)
    const sized = checkSizes(charged)
    sizes += sized.count
    const name = /\(func (\S+)/.exec(fn.text)[1]
    const mendedFunction = mendFunction(name, sized.text, END_FOR_MEMORY)
    if (mendedFunction.isMended) mended += 1
    const collected = collectByBytes(name, mendWeakMaps(name, mendedFunction.text))
    collecting += collected.places
    const withFloor = checkStack(collected.text, STACK_FLOOR, END_FOR_STACK)
    stackRoom += withFloor.count
    parts[fn.i] = withFloor.text.replace(/\(memory\.(copy|fill)\b/g, (_all, operation) => {
      bulkOperations += 1
      return `(call $charged_${operation}`
    })
  }
  assert(bulkOperations === EXPECTED.bulkOperations, `${bulkOperations} bulk operations`)
  assert(sizes === EXPECTED.sizes, `${sizes} sizes`)
  assert(stackRoom === EXPECTED.stackRoom, `room on the stack is taken ${stackRoom} times`)
  assert(collecting === COLLECTING_PLACES, `${collecting} places may collect`)
  assert(mended === MENDED, `${mended} functions mended`)
  let text = parts.join('')
  checkMarks(text)
  text = markReports(shrinkMemory(text))
  text = insertBefore(text, '(import', '(import "a" "tick" (func $tick))')
  text = insertBefore(
    text,
    '(export',
    [
      ...GLOBALS.map(
        name => `(global $${name} (mut i32) (i32.const 0))\n (export "${name}" (global $${name}))`,
      ),
      ...FUNCTIONS.map(name => `(export "${name}" (func $${name}))`),
    ].join('\n '),
  )
  text = `${text.slice(0, text.lastIndexOf(')'))}${ADDED_FUNCTIONS}\n)`
  const imported = parts.filter(part => /^\n? \(import "a" "[^"]*" \(func/.test(part)).length + 1
  return { output: assemble(text), interpreterIndex: imported + functions.indexOf(interpreter) }
}
