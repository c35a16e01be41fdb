import { jsonBytes } from '../../../json/json-bytes.js'
import type { JsonValue } from '../../../json/json-value.js'
import type { CodeFailureKind, CodeRunOutcome } from '../../code-runtime.js'
import type { QuickJsLimits } from '../limits.js'
import { describeFailure } from '../program/describe-failure.js'
import { describeSyntaxFault } from '../program/describe-syntax-fault.js'
import type { PreparedProgram } from '../program/prepare-program.js'
import { failureText } from './failure-text.js'
import type { OutputLedger } from './output-ledger.js'
import { believe, readText, readWays } from './read-message.js'
import type { TextsAside } from './texts-aside.js'

/** An exception as the guest describes it. `source` comes from the engine's own classes and marks, not from its text. */
export interface Thrown {
  readonly line: string
  readonly stack: string
  readonly source: 'own' | 'engine' | 'call-limit'
}

/** Reads an exception as the guest describes it. */
export function readThrown(text: string): Thrown {
  const told = JSON.parse(text) as Partial<Thrown>
  const { line, stack, source } = told
  believe(typeof line === 'string' && typeof stack === 'string')
  believe(source === 'own' || source === 'engine' || source === 'call-limit')
  return { line, stack, source }
}

/** How a program ended by itself. */
export type Ending =
  | { readonly kind: 'value'; readonly value: JsonValue | undefined }
  | { readonly kind: 'thrown'; readonly failure: CodeFailureKind; readonly thrown: Thrown }
  | { readonly kind: 'lossy'; readonly message: string }

/** Which of the engine's own limits the host has seen the guest meet. */
export interface LimitsMet {
  readonly memoryEnded: boolean
  readonly stackEnded: boolean
}

const OUT_OF_MEMORY = /^(?:InternalError|SyntaxError): out of memory|^Thrown: null$/
const OUT_OF_STACK = /^(?:InternalError|SyntaxError): stack overflow$/

/** Reads the last message of a program. */
export function readEnding(kind: string, text: string, texts: TextsAside): Ending {
  if (kind === 'F') return { kind: 'thrown', failure: 'exception', thrown: readThrown(text) }
  if (kind === 'I') return { kind: 'lossy', message: readText(text) }
  if (kind === 'S') return { kind: 'value', value: text }
  const json = text.slice(text.indexOf(':') + 1)
  if (kind !== 'B') return { kind: 'value', value: json === '' ? undefined : (JSON.parse(json) as JsonValue) }
  const [value, ways] = JSON.parse(json) as [JsonValue, unknown]
  // The ways begin at the value itself.
  texts.putInto(value, readWays(ways))
  return { kind: 'value', value }
}

type Judgement = Pick<CodeRunOutcome, 'value' | 'error'>

function judge(
  ending: Ending,
  program: PreparedProgram,
  limits: QuickJsLimits,
  ledger: OutputLedger,
  met: LimitsMet,
): Judgement {
  const failed = (kind: CodeFailureKind, message: string = failureText(kind, limits)): Judgement => ({
    error: { kind, message },
  })
  switch (ending.kind) {
    case 'value': {
      const { value } = ending
      if (value === undefined) return {}
      return ledger.fits(jsonBytes(value))
        ? { value }
        : failed('output-limit', failureText('output-limit', limits, ledger.total))
    }
    case 'lossy':
      return failed('invalid-output', `The program returned what JSON cannot carry: ${ending.message}.`)
    case 'thrown': {
      const { line, stack, source } = ending.thrown
      if (source === 'engine' && met.memoryEnded && OUT_OF_MEMORY.test(line)) return failed('memory')
      const describe = ending.failure === 'syntax' ? describeSyntaxFault : describeFailure
      const told = describe(line, stack, program)
      if (source === 'call-limit') return failed('call-limit', told)
      if (source === 'engine' && met.stackEnded && OUT_OF_STACK.test(line))
        return failed('stack', `${told}\n\n${failureText('stack', limits)}`)
      return failed(ending.failure, told)
    }
    default:
      return ending satisfies never
  }
}

/** What a program's own end comes to. To tell it takes the host's own stack, of which there may be too little. */
export const judgeEnding: typeof judge = (ending, program, limits, ledger, met) => {
  try {
    return judge(ending, program, limits, ledger, met)
  } catch {
    return { error: { kind: 'crash', message: failureText('crash', limits) } }
  }
}
