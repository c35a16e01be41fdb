import vm from 'node:vm'
import type { CodeRuntime } from 'toolgate'

/** How the small runtime is wrong. */
export interface VmFaults {
  /** One realm for all runs. */
  readonly sharesRealm?: boolean
  /** Values cross as they are. */
  readonly passesReferences?: boolean
}

/** A runtime of some lines for bodies of plain JavaScript that call tools, with a realm for each run. */
export function vmRuntime({ sharesRealm, passesReferences }: VmFaults = {}): CodeRuntime {
  const newRealm = (): vm.Context => vm.createContext({})
  const shared = newRealm()
  const cross = (value: unknown): any =>
    passesReferences === true || value === undefined ? value : JSON.parse(JSON.stringify(value))
  return {
    async run({ program, namespaces }) {
      const ended = new AbortController()
      const realm = sharesRealm === true ? shared : newRealm()
      for (const { global, functions, call } of namespaces) {
        const invoke = async (name: string, args: unknown[]): Promise<unknown> => {
          const pauseWallClock = () => () => {}
          const reply = await call({ name, args: args.map(cross), signal: ended.signal, pauseWallClock })
          if (!reply.ok) throw new Error(reply.message)
          return cross(reply.value)
        }
        const entries = functions.map(name => [name, (...args: unknown[]) => invoke(name, args)])
        realm[global] = Object.fromEntries(entries)
      }
      try {
        const value = await vm.runInContext(`(async () => { ${program} })()`, realm)
        return { logs: [], ...(value !== undefined && { value: cross(value) }) }
      } catch (error) {
        return { logs: [], error: { kind: 'exception', message: String(error) } }
      } finally {
        ended.abort()
      }
    },
  }
}
