import type { CallScope, PipelineHost } from './call-state.js'

/** The scope that a call names, by default the one it is made on; `undefined` if there is none of that id here. */
export function findScope(host: PipelineHost, from: CallScope, id: unknown): CallScope | undefined {
  return id === undefined || id === from.id ? from : host.findScope(from, id as string)
}
