import { describeError } from '../../../errors/describe-error.js'
import type { CodeFailureKind } from '../../code-runtime.js'
import type { QuickJsLimits } from '../limits.js'

const mib = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 102.4) / 10} MiB` : `${Math.ceil(bytes / 1024)} KiB`

/** The engine looks at the clock at loops and calls, and a text without either could keep it from looking. */
export const TOO_FAR_STRAIGHT =
  'The program ran millions of steps without a loop or a call, in code that it made, and was stopped. Write a loop in place of the repeated text.'

/** What the model reads where something that the host gave to its programs does not work. */
export const hostFaultText = (what: 'clock' | 'source of randomness', error: unknown): string =>
  `The host's ${what} failed: ${describeError(error)}`

/** What the model reads of a failure that the host saw: what happened and what to do differently. */
export function failureText(kind: CodeFailureKind, limits: QuickJsLimits, outputBytes?: number): string {
  switch (kind) {
    case 'timeout-cpu':
      return `The program computed for more than ${limits.cpuMs} ms and was stopped. Look for a loop that does not end, or work on less data.`
    case 'timeout-wall':
      return `The program took longer than ${limits.wallMs} ms, waiting included, and was stopped. Make fewer or faster calls, or run independent ones together with Promise.all.`
    case 'memory':
      return `The program needed more than ${mib(limits.memoryBytes)} of memory. Work on smaller pieces, and keep only what you need.`
    case 'stack':
      return 'The program nested too deeply: too much recursion, or a value or expression with too many levels. Use a loop, or flatten it.'
    case 'deadlock':
      return 'The program waits for a promise that nothing can settle: no call or timer is under way. Check each await.'
    case 'output-limit':
      return `The program printed and returned ${outputBytes === undefined ? `more than ${limits.outputBytes} bytes` : `at least ${outputBytes} bytes, ${outputBytes - limits.outputBytes} more than the ${limits.outputBytes} that fit`}. Return only what you need: filter, cut or count inside the program.`
    case 'source-limit':
      return `The program is longer than ${limits.sourceBytes} bytes. Write a shorter one; data belongs in tool calls.`
    case 'call-limit':
      return `A program may make ${limits.maxCalls} calls. Ask for more in each call, or split the work over several programs.`
    case 'abort':
      return 'The run was aborted.'
    default:
      return 'The engine failed while it ran the program. The next program is not affected.'
  }
}
