import { ToolgateError } from '../../../errors/toolgate-error.js'
import { copyImage, findExtents, imageBytes, type MemoryImage } from '../engine/memory-image.js'
import { GUEST_IMAGE } from '../generated/guest-image.js'
import { Guest, type GuestLimits } from './guest.js'

/** Guests kept ready; more run at once if they must, and are dropped afterwards. */
const MAX_READY = 4
/** A memory cannot shrink: a guest that grew past this is dropped. */
const REUSE_BYTES = 16 * 1024 * 1024
/** How many programs in a row have the same namespaces before guests are kept with these set up. */
const ALIKE = 2
/** What a larger text makes is not kept: the host would wait for it outside any run. */
const MAX_SET_UP_UNITS = 64 * 1024

/**
 * The guests of a runtime. Each that it hands out is, word for word, as if no program had ever run in it. A new instance is
 * that by itself: its data is the image of an engine that has booted and evaluated the prelude. Where programs with the same
 * namespaces follow one another, it is as if these had been set up, and nothing else.
 */
export class GuestPool {
  readonly #module: WebAssembly.Module
  readonly #limits: GuestLimits
  readonly #ready: Guest[] = []
  /** Made with the first guest. */
  #image: MemoryImage | undefined
  #setUp = ''
  #alike = 0
  /** The image with what `#setUp` makes; `none` if there can be no such image. */
  #setUpImage: MemoryImage | 'none' | undefined

  constructor(module: WebAssembly.Module, limits: GuestLimits) {
    this.#module = module
    this.#limits = limits
  }

  /** Hands a guest out for a program with the namespaces of this text; its run sets them up if that is not done yet. */
  take(setUp: string): Guest {
    if (setUp !== this.#setUp) {
      this.#setUp = setUp
      this.#alike = 0
      this.#setUpImage = setUp.length > MAX_SET_UP_UNITS ? 'none' : undefined
    }
    this.#alike += 1
    const guest = this.#ready.pop() ?? this.#make()
    if (guest.setUpFrom !== undefined && guest.setUpFrom !== setUp) this.#restore(guest)
    return guest
  }

  /** Takes a guest back whose run has settled. No call into it may follow. */
  giveBack(guest: Guest): void {
    if (guest.hasCrashed || guest.memoryBytes > REUSE_BYTES || this.#ready.length >= MAX_READY) return
    if (this.#setUpImage === undefined && this.#alike >= ALIKE) this.#setUpImage = this.#imageOfSetUp(guest)
    const image = this.#setUpImage
    if (image === undefined || image === 'none' || imageBytes(image) > guest.memoryBytes) this.#restore(guest)
    else guest.restore(image, GUEST_IMAGE.state, this.#setUp)
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

  #imageOfSetUp(guest: Guest): MemoryImage | 'none' {
    this.#restore(guest)
    if (!guest.setUp(this.#setUp).ok) return 'none'
    const { buffer } = guest.engine.memory
    return copyImage(buffer, findExtents(buffer))
  }
}
