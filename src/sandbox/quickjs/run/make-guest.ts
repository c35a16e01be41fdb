import { GUEST_FILE } from '../engine/call-stack.js'
import { GUEST_PRELUDE } from '../generated/guest-prelude.js'
import { Guest, type GuestLimits, type GuestState, OPERATIONS } from './guest.js'

/**
 * A guest made from nothing: an engine without an image boots and evaluates the prelude. The build makes the image of it
 * that every other guest begins with.
 */
export function makeGuest(
  module: WebAssembly.Module,
  limits: GuestLimits,
): { readonly guest: Guest; readonly state: GuestState } {
  const guest = new Guest(module, limits)
  const { engine } = guest
  engine.boot(limits.stackBytes)
  const boot = engine.evaluate(GUEST_PRELUDE, GUEST_FILE)
  const post = engine.hostFunction('post')
  const main = engine.call(boot, [post])
  engine.free(boot)
  engine.free(post)
  const operations = OPERATIONS.map((_name, i) => engine.number(i + 1))
  const { runtime, context } = engine
  const stackPointer = engine.exports.stackPointer()
  const state = { runtime, context, main, operations, stackPointer, stackBytes: limits.stackBytes }
  guest.resume(state)
  return { guest, state }
}
