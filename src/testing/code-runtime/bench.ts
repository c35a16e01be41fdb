import type {
  CodeCall,
  CodeCallReply,
  CodeNamespace,
  CodeRunOutcome,
  CodeRunRequest,
  CodeRuntime,
} from '../../sandbox/code-runtime.js'

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

/** One thing that must hold: a sentence, and a function that rejects where it does not. Cases do not depend on one another. */
export interface ConformanceCase {
  readonly name: string
  /** Needs no `this`, so that `test(name, run)` does in any test framework. */
  readonly run: () => Promise<void>
}

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
const PATIENT = { cpuMs: 20_000, wallMs: 60_000 }

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

function benchOf(runtime: CodeRuntime): Bench {
  const run = (program: string, { functions = {}, ...request }: BenchRun = {}): Promise<CodeRunOutcome> =>
    runtime.run({ program, namespaces: [toolsOf(functions)], ...request })
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
  return cases.map(([name, check, limits = {}]) => ({
    name,
    async run() {
      const runtime = await createRuntime({ ...PATIENT, ...limits })
      try {
        await check(benchOf(runtime))
      } finally {
        await runtime.dispose?.()
      }
    },
  }))
}
