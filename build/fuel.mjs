// Instruments the engine so that nothing a program does can run past its deadline: each loop pays fuel, and when it is used
// up the engine asks its host, which may throw. Works on binaryen's text form.
import binaryen from 'binaryen'

// Found in the pinned build. Any other numbers mean another engine, to be looked at by a person.
const EXPECTED = { loops: 1079, bulkOperations: 98, dispatchLoops: 2, initialPages: 256 }
/** The interpreter's jump table stands out: one target for each opcode, inside its dispatch loop. */
const LEAST_OPCODES = 200
const CLEARLY_WIDEST = 1.5
/** Opcodes between two charges of straight-line bytecode; a power of two. */
const OPCODES_PER_CHARGE = 512
const LARGE_BULK_BYTES = 4095
/** Static data, 5 MiB of stack and room for the prelude: what every instance begins with, and is reset to. */
const INITIAL_PAGES = 96

const CHECK = '(if (i32.lt_s (global.get $fuel) (i32.const 0)) (then (call $tick)))'
const charge = cost => `(global.set $fuel (i32.sub (global.get $fuel) ${cost})) ${CHECK}`
const LOOP_CHARGE = charge('(i32.const 1)')
const DISPATCH_CHARGE =
  `(if (i32.eqz (i32.and (local.tee $opcodes (i32.add (local.get $opcodes) (i32.const 1))) (i32.const ${OPCODES_PER_CHARGE - 1})))` +
  ` (then ${charge(`(i32.const ${OPCODES_PER_CHARGE})`)}))`

const bulk = (name, operation, value) => `
 (func $${name} (param $to i32) (param ${value} i32) (param $bytes i32)
  (if (i32.gt_u (local.get $bytes) (i32.const ${LARGE_BULK_BYTES}))
   (then ${charge('(i32.shr_u (local.get $bytes) (i32.const 4))')}))
  (${operation} (local.get $to) (local.get ${value}) (local.get $bytes)))`
const BULK_FUNCTIONS =
  bulk('charged_copy', 'memory.copy', '$from') + bulk('charged_fill', 'memory.fill', '$byte')

const LOOP_HEAD = /^\(loop(?: \$[^\s()]+)?(?: \(type [^)]*\))?(?: \(result [^)]*\))?/
const TABLE_TARGETS = /^\(br_table((?: \$\S+)+)/

function assert(condition, message) {
  if (!condition) throw new Error(`The engine is not as expected: ${message}`)
}

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
  edits.push({ at: afterHead(text, innermost), what: DISPATCH_CHARGE })
  const charged = insertAll(text, edits)
  const firstLocal = charged.indexOf('\n  (local $')
  assert(firstLocal > 0, 'the interpreter has no locals')
  return `${charged.slice(0, firstLocal)}\n  (local $opcodes i32)${charged.slice(firstLocal)}`
}

function insertBefore(text, marker, what) {
  const at = text.indexOf(marker)
  assert(at > 0, `no ${marker}`)
  return `${text.slice(0, at)}${what}\n ${text.slice(at)}`
}

/** Lets an instance begin small: the build demands room for a heap that few programs need. */
function shrinkMemory(text) {
  const [found, name, pages] = /\(memory (\$\S+) (\d+) /.exec(text) ?? []
  assert(Number(pages) === EXPECTED.initialPages, `a memory of ${pages} pages`)
  return text.replace(found, () => `(memory ${name} ${INITIAL_PAGES} `)
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
  for (const fn of functions) {
    const charged = fn === interpreter ? chargeInterpreter(fn) : chargeLoops(fn)
    parts[fn.i] = charged.replace(/\(memory\.(copy|fill)\b/g, (_all, operation) => {
      bulkOperations += 1
      return `(call $charged_${operation}`
    })
  }
  assert(bulkOperations === EXPECTED.bulkOperations, `${bulkOperations} bulk operations`)
  let text = parts.join('')
  text = shrinkMemory(text)
  text = insertBefore(text, '(import', '(import "a" "tick" (func $tick))')
  text = insertBefore(
    text,
    '(export',
    '(global $fuel (mut i32) (i32.const 0))\n (export "fuel" (global $fuel))',
  )
  text = `${text.slice(0, text.lastIndexOf(')'))}${BULK_FUNCTIONS}\n)`
  const module = binaryen.parseText(text)
  const {
    MutableGlobals,
    NontrappingFPToInt,
    BulkMemory,
    BulkMemoryOpt = 0,
    SignExt,
    Multivalue,
    ReferenceTypes,
  } = binaryen.Features
  // Named one by one: "all" makes a binary that Node 20 refuses.
  module.setFeatures(
    MutableGlobals | NontrappingFPToInt | BulkMemory | BulkMemoryOpt | SignExt | Multivalue | ReferenceTypes,
  )
  assert(module.validate() === 1, 'the instrumented module is not valid')
  const output = module.emitBinary()
  module.dispose()
  const imported = parts.filter(part => /^\n? \(import "a" "[^"]*" \(func/.test(part)).length + 1
  return { output: Buffer.from(output), interpreterIndex: imported + functions.indexOf(interpreter) }
}
