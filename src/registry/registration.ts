/// <reference lib="esnext.disposable" preserve="true" />

import type { ToolDefinition } from '../tools/tool-definition.js'

/** Undoes what it was returned for. Call it, or leave it to `using`; twice does nothing. */
export interface Registration extends Disposable {
  (): void
}

/** A tool's registration. Disposed, it takes away the tool that is there under it now. */
export interface ToolRegistration extends Registration {
  /**
   * Puts another definition of the same name in the tool's place, at once and without moving it in lists and prompts. `change`
   * tells of it as of a tool that goes and one that comes.
   * @throws ToolgateError `INVALID_TOOL` (another name included), `UNSUPPORTED_SCHEMA`, or `DISPOSED` if the tool is gone; the tool stays as it was.
   */
  replace(tool: ToolDefinition): void
}

/** Makes a registration whose first call runs `undo`. */
export function createRegistration(undo: () => void): Registration {
  let done = false
  const dispose = (): void => {
    if (done) return
    done = true
    undo()
  }
  return Object.assign(dispose, { [Symbol.dispose]: dispose })
}
