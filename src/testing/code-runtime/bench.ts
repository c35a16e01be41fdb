import type {
  CodeCall,
  CodeCallReply,
  CodeNamespace,
  CodeRunOutcome,
  CodeRunRequest,
  CodeRuntime,
} from '../../sandbox/code-runtime.js'
import { type ConformanceCase, conformanceCase, requireFunction, within } from '../conformance-case.js'

/** The limits that the suite sets, by the names and units of `quickJsRuntime`. What it does not set is the runtime's own. */
export interface CodeRuntimeLimits {
  readonly sourceBytes?: number
  readonly cpuMs?: number
  readonly wallMs?: number
  readonly memoryBytes?: number
  readonly maxCalls?: number
  readonly outputBytes?: number
}

/** Makes a runtime with these limits. Each case makes its own and disposes it. */
export type CodeRuntimeFactory = (limits: CodeRuntimeLimits) => CodeRuntime | Promise<CodeRuntime>

/** What a program calls, by name. A value is the answer; what is thrown is the runtime's to handle. */
export type Functions = { readonly [name: string]: (call: CodeCall) => unknown }

export interface BenchRun extends Partial<CodeRunRequest> {
  readonly functions?: Functions
}

/** A runtime and what every case needs around it. */
export interface Bench {
  readonly runtime: CodeRuntime
  run(program: string, request?: BenchRun): Promise<CodeRunOutcome>
  /** What a program returned. Throws what it failed with. */
  returned(program: string, functions?: Functions): Promise<unknown>
}

export type BenchCase = readonly [
  name: string,
  check: (bench: Bench) => Promise<void>,
  limits?: CodeRuntimeLimits,
]

// For programs that end by themselves, however busy the machine is.
const PATIENT = { cpuMs: 20_000, wallMs: 30_000 }

/** A namespace `tools` whose functions answer with values. */
export function toolsOf(functions: Functions, options: Partial<CodeNamespace> = {}): CodeNamespace {
  return {
    global: 'tools',
    functions: Object.keys(functions),
    errorClass: 'ToolCallError',
    async call(call): Promise<CodeCallReply> {
      const answer = Object.hasOwn(functions, call.name) ? functions[call.name] : undefined
      if (answer === undefined)
        return { ok: false, message: `there is no ${call.name}`, properties: { code: 'UNKNOWN' } }
      const value = await answer(call)
      return value === undefined ? { ok: true } : { ok: true, value: value as never }
    },
    ...options,
  }
}

/** How much longer than its wall clock a run may take to say that it is over. */
const NEVER_MS = 5_000
/** How long what comes with the end of a run, or a little after its start, is waited for. */
const SOON_MS = 10_000

/** What must come, or a sentence that says what has not. */
export const soon = <T>(awaited: Promise<T>, otherwise: string): Promise<T> =>
  within(SOON_MS, awaited, otherwise)

function benchOf(runtime: CodeRuntime, { wallMs = PATIENT.wallMs }: CodeRuntimeLimits): Bench {
  const run = (program: string, { functions = {}, ...request }: BenchRun = {}): Promise<CodeRunOutcome> =>
    within(
      wallMs + NEVER_MS,
      runtime.run({ program, namespaces: [toolsOf(functions)], ...request }),
      'run() had not settled',
    )
  return {
    runtime,
    run,
    async returned(program, functions) {
      const { value, error } = await run(program, functions && { functions })
      if (error !== undefined) throw new Error(`${error.kind}: ${error.message}\nof ${program}`)
      return value
    },
  }
}

/** The cases, each with a runtime of its own. */
export function onBenches(
  cases: readonly BenchCase[],
  createRuntime: CodeRuntimeFactory,
): readonly ConformanceCase[] {
  requireFunction(createRuntime, 'codeRuntimeConformance takes a function that makes a runtime with limits')
  return cases.map(([name, check, limits = {}]) =>
    conformanceCase(name, async () => {
      const runtime: CodeRuntime | undefined = await createRuntime({ ...PATIENT, ...limits })
      requireFunction(runtime?.run, 'a runtime must have run, a function')
      try {
        await check(benchOf(runtime, limits))
      } finally {
        await within(NEVER_MS, runtime.dispose?.(), 'dispose() had not ended')
      }
    }),
  )
}
