import { ToolgateError } from '../../../errors/toolgate-error.js'
import { copyImage, findExtents, imageBytes, type MemoryImage } from '../engine/memory-image.js'
import { GUEST_IMAGE } from '../generated/guest-image.js'
import { Guest, type GuestLimits } from './guest.js'

/** Guests kept ready; more run at once if they must, and are dropped afterwards. */
const MAX_READY = 4
/** A memory cannot shrink: a guest that grew past this is dropped. */
const REUSE_BYTES = 16 * 1024 * 1024
/** How many programs in a row have the same namespaces before there is an image of a guest with these set up. */
const ALIKE = 2
/** A larger text is left to each run to set up, on its own time. */
const MAX_SET_UP_UNITS = 64 * 1024

function imageOf({ engine: { memory } }: Guest): MemoryImage {
  return copyImage(memory.buffer, findExtents(memory.buffer))
}

/**
 * The guests of a runtime. Each that it hands out is, word for word, as if no program had ever run in it, and its namespaces
 * were all that was ever set up. A new instance is at rest by itself: its data is the image of an engine that has booted and
 * evaluated the prelude. Where programs with the same namespaces follow one another, an image has these as well.
 */
export class GuestPool {
  readonly #module: WebAssembly.Module
  readonly #limits: GuestLimits
  readonly #ready: Guest[] = []
  /** Made with the first guest. */
  #image: MemoryImage | undefined
  #setUp = ''
  #alike = 0
  /** The image with what `#setUp` makes. */
  #setUpImage: MemoryImage | undefined

  constructor(module: WebAssembly.Module, limits: GuestLimits) {
    this.#module = module
    this.#limits = limits
  }

  /** Hands a guest out for a program with the namespaces of this text, set up unless that is more than a moment's work. */
  take(setUp: string): Guest {
    if (setUp !== this.#setUp) {
      this.#setUp = setUp
      this.#alike = 0
      this.#setUpImage = undefined
    }
    this.#alike += 1
    const guest = this.#ready.pop() ?? this.#make()
    if (guest.setUpFrom === setUp) return guest
    if (guest.setUpFrom !== undefined) this.#restore(guest)
    this.#prepare(guest)
    return guest
  }

  /** Takes a guest back whose run has settled. No call into it may follow. */
  giveBack(guest: Guest): void {
    if (guest.hasCrashed || guest.memoryBytes > REUSE_BYTES || this.#ready.length >= MAX_READY) return
    const image = this.#setUpImage
    if (image !== undefined && imageBytes(image) <= guest.memoryBytes)
      guest.restore(image, GUEST_IMAGE.state, this.#setUp)
    else {
      this.#restore(guest)
      if (image === undefined && this.#alike >= ALIKE && this.#prepare(guest))
        this.#setUpImage = imageOf(guest)
    }
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

  #restore(guest: Guest): void {
    guest.restore(this.#image as MemoryImage, GUEST_IMAGE.state)
  }

  /** Sets the namespaces up. Where that fails, the run of the program meets the same failure. */
  #prepare(guest: Guest): boolean {
    if (this.#setUp.length > MAX_SET_UP_UNITS) return false
    const isPrepared = guest.prepare(this.#setUp, GUEST_IMAGE.state)
    if (!isPrepared) this.#restore(guest)
    return isPrepared
  }
}
