import { ToolgateError } from '../../../errors/toolgate-error.js'
import { copyImage, type MemoryImage } from '../engine/memory-image.js'
import { GUEST_IMAGE } from '../generated/guest-image.js'
import { Guest, type GuestLimits } from './guest.js'

/** Guests kept ready; more run at once if they must, and are dropped afterwards. */
const MAX_READY = 4
/** A memory cannot shrink: a guest that grew past this is dropped. */
const REUSE_BYTES = 16 * 1024 * 1024

/**
 * The guests of a runtime. Each that it hands out is, word for word, as if no program had ever run in it. A new instance is
 * that by itself: its data is the image of an engine that has booted and evaluated the prelude.
 */
export class GuestPool {
  readonly #module: WebAssembly.Module
  readonly #limits: GuestLimits
  readonly #ready: Guest[] = []
  #image: MemoryImage | undefined

  constructor(module: WebAssembly.Module, limits: GuestLimits) {
    this.#module = module
    this.#limits = limits
  }

  take(): Guest {
    return this.#ready.pop() ?? this.#make()
  }

  /** Takes a guest back whose run has settled. No call into it may follow. */
  giveBack(guest: Guest): void {
    if (guest.hasCrashed || guest.memoryBytes > REUSE_BYTES || this.#ready.length >= MAX_READY) return
    if (this.#image === undefined) return
    guest.restore(this.#image, GUEST_IMAGE.state)
    this.#ready.push(guest)
  }

  #make(): Guest {
    const guest = new Guest(this.#module, this.#limits)
    if (guest.engine.exports.image?.value !== GUEST_IMAGE.id)
      throw new ToolgateError(
        'INVALID_OPTIONS',
        'wasmModule is not the toolgate/quickjs.wasm of this version',
      )
    this.#image ??= copyImage(guest.engine.memory.buffer, GUEST_IMAGE.extents)
    guest.resume(GUEST_IMAGE.state)
    return guest
  }
}
