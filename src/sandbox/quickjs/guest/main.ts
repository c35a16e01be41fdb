import { addFromAsync } from './array-from-async.js'
import { makeBase64 } from './base64.js'
import { ask, notAwaited } from './call-promise.js'
import { type NamespaceNote, type Post, postTexts, settle, wasOverLimit } from './calls.js'
import { fixArrays } from './fix-arrays.js'
import { fixBigInts } from './fix-bigints.js'
import { fixBuffers } from './fix-buffers.js'
import { fixDates } from './fix-dates.js'
import { fixErrors } from './fix-errors.js'
import { fixNormalize } from './fix-normalize.js'
import { fixPromises } from './fix-promises.js'
import { fixWeakRefs } from './fix-weak-refs.js'
import { fireTimer, makeGlobals } from './globals.js'
import { errorLine, inspect, limitText, reasons } from './inspect.js'
import {
  apply,
  beginning,
  globals,
  isError,
  isPlainText,
  mayBeEngineError,
  NativeError,
  parseJson,
  quote,
  whenSettled,
} from './intrinsics.js'
import { makeLazy } from './lazy.js'
import { existingText, withExisting } from './names.js'
import { makeNamespace } from './namespace.js'
import { makeRandom, startClock } from './random.js'
import { Lossy, makeCrossing, toJson } from './to-json.js'

// Messages to the host, by their first letter: L a line (level, JSON), M the same (level, text), C a call (JSON with number,
// namespace, weight, name, arguments, ways), P a large text that the next call or value has null in the place of, ways say
// where, Q a call that cannot be made (number, name), whose texts are dropped; T and U a timer set and cleared, N calls not awaited (names of some, how
// many); G for the text of a part and R for random bytes, which are answered at once, as is K for the stack where the call
// was made that is being answered; then one of the ends: F a failure, I what cannot cross, S a text as it is, D a value
// (weight, JSON), B the same with texts (weight, JSON of value and ways).

const MAX_MESSAGE_UNITS = 4000
const MAX_STACK_UNITS = 16_000

interface SetUp {
  readonly namespaces: readonly NamespaceNote[]
  readonly outputBytes: number
}

let post: Post = () => {}
let existing = ''

const cut = (text: string, units: number): string =>
  text.length > units ? beginning(text, units) + '…' : text

/** An exception as the host reads it. */
function describe(error: unknown): string {
  let line: string
  let stack: unknown
  try {
    line = isError(error)
      ? withExisting(errorLine(error), existing) + reasons(error)
      : 'Thrown: ' + inspect(error)
    if (isError(error)) stack = error.stack
  } catch {
    line = 'An error that cannot be shown as text'
  }
  const kind =
    error === null || mayBeEngineError(error) ? 'engine' : wasOverLimit(error) ? 'call-limit' : 'own'
  const shownStack = typeof stack === 'string' ? cut(stack, MAX_STACK_UNITS) : ''
  return (
    '{"line":' +
    quote(cut(line, MAX_MESSAGE_UNITS)) +
    ',"stack":' +
    quote(shownStack) +
    ',"source":"' +
    kind +
    '"}'
  )
}

function fail(error: unknown): void {
  end('F', describe(error))
}

function tellNotAwaited(): void {
  const names = notAwaited()
  if (names !== '') post('N' + names)
}

/** The last message of a program. */
function end(kind: string, body: string): void {
  tellNotAwaited()
  post(kind + body)
}

function succeed(value: unknown): void {
  if (isPlainText(value)) {
    end('S', value)
    return
  }
  const crossing = makeCrossing()
  let json: string
  try {
    json = value === undefined ? '' : toJson(value, 'value', crossing)
  } catch (error) {
    if (error instanceof Lossy) end('I', quote(error.path + ' is ' + error.what))
    else fail(error)
    return
  }
  const { weight } = crossing
  const ways = postTexts(post, crossing)
  if (ways === '[]') end('D' + weight + ':', json)
  else end('B' + weight + ':', '[' + json + ',' + ways + ']')
}

function start(program: unknown, callsResult: boolean): void {
  startClock()
  const ended = (value: unknown): void => {
    if (callsResult && typeof value === 'function') run(value, succeed)
    else succeed(value)
  }
  run(program, ended)
}

function run(program: unknown, then: (value: unknown) => void): void {
  try {
    if (typeof program !== 'function') throw new NativeError('the program is not a function body')
    const result: unknown = apply(program as () => unknown, undefined, [])
    if (typeof result === 'object' && result !== null) ask(result)
    whenSettled(result, then, fail)
  } catch (error) {
    fail(error)
  }
}

function setUp(json: string): void {
  const { namespaces: notes, outputBytes } = parseJson(json) as SetUp
  limitText(outputBytes)
  let names = ''
  for (let i = 0; i < notes.length; i++) {
    const note = notes[i] as NamespaceNote
    makeNamespace(post, i, note, globals)
    names += note.global + ', '
  }
  existing = existingText(names)
}

/** The host's way in: an operation by its first letter, and what it works on. */
function main(operation: number, subject: unknown, text: string, verdict: number): unknown {
  switch (operation) {
    case 1:
      return setUp(subject as string)
    case 2:
      return start(subject, text === 'call')
    case 3:
      return settle(post, subject as number, verdict, text)
    case 4:
      try {
        return fireTimer(subject as number)
      } catch (error) {
        return fail(error)
      }
    case 5:
      return describe(subject)
    default:
      return tellNotAwaited()
  }
}

/** Called once, with the function that sends to the host. */
export function boot(send: Post): typeof main {
  post = send
  fixBuffers()
  fixArrays()
  addFromAsync()
  fixBigInts()
  fixDates()
  fixWeakRefs()
  fixNormalize()
  fixErrors()
  fixPromises()
  makeGlobals(send, fail, () => existing, globals)
  makeRandom(send, globals)
  makeBase64(
    makeLazy(part => send('G' + part), globals),
    globals,
  )
  return main
}
