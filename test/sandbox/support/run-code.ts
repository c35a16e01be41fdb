import {
  type CodeCall,
  type CodeCallReply,
  type CodeNamespace,
  type CodeRunOutcome,
  type CodeRunRequest,
  type CodeRuntime,
  quickJsRuntime,
} from 'toolgate/quickjs'

export type Functions = { readonly [name: string]: (call: CodeCall) => unknown }

/** Resolves when opened. */
export function gate<T = void>(): { readonly opened: Promise<T>; readonly open: (value: T) => void } {
  let open: (value: T) => void = () => {}
  const opened = new Promise<T>(resolve => {
    open = resolve
  })
  return { opened, open }
}

/** A namespace `tools` whose functions answer with values; what they throw is the runtime's to handle. */
export function toolsOf(functions: Functions, options: Partial<CodeNamespace> = {}): CodeNamespace {
  return {
    global: 'tools',
    functions: Object.keys(functions),
    errorClass: 'ToolCallError',
    async call(call): Promise<CodeCallReply> {
      const answer = functions[call.name]
      if (answer === undefined)
        return { ok: false, message: `no ${call.name}`, properties: { code: 'UNKNOWN' } }
      const value = await answer(call)
      return value === undefined ? { ok: true } : { ok: true, value: value as never }
    },
    ...options,
  }
}

export const shared: CodeRuntime = quickJsRuntime({ limits: { cpuMs: 400, wallMs: 15_000 } })

/** Runs a program on a runtime shared by the tests. */
export function run(
  program: string,
  functions: Functions = {},
  request: Partial<CodeRunRequest> = {},
  runtime: CodeRuntime = shared,
): Promise<CodeRunOutcome> {
  return runtime.run({ program, namespaces: [toolsOf(functions)], ...request })
}

// For programs that end by themselves, however busy the machine is.
const patient: CodeRuntime = quickJsRuntime({ limits: { cpuMs: 20_000, wallMs: 30_000 } })

/** What a program returned; throws what it failed with. */
export async function returned(program: string, functions: Functions = {}): Promise<unknown> {
  const { value, error } = await run(program, functions, {}, patient)
  if (error !== undefined) throw new Error(`${error.kind}: ${error.message}`)
  return value
}
