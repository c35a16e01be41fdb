import { Guest, type GuestImage, type GuestLimits } from './guest.js'

/** Guests kept ready; more run at once if they must, and are dropped afterwards. */
const MAX_READY = 4
/** A memory cannot shrink: a guest that grew past this is dropped. */
const REUSE_BYTES = 16 * 1024 * 1024

const images = new WeakMap<WebAssembly.Module, Map<number, GuestImage>>()

/** The state of a guest before any program: made once for each engine and stack, and copied from then on. */
function imageOf(module: WebAssembly.Module, limits: GuestLimits): GuestImage {
  let byStack = images.get(module)
  if (byStack === undefined) {
    byStack = new Map()
    images.set(module, byStack)
  }
  let image = byStack.get(limits.stackBytes)
  if (image === undefined) {
    image = Guest.make(module, limits).image()
    byStack.set(limits.stackBytes, image)
  }
  return image
}

/** The guests of a runtime. Each that it hands out is, word for word, as if no program had ever run in it. */
export class GuestPool {
  readonly #module: WebAssembly.Module
  readonly #limits: GuestLimits
  readonly #ready: Guest[] = []

  constructor(module: WebAssembly.Module, limits: GuestLimits) {
    this.#module = module
    this.#limits = limits
  }

  take(): Guest {
    return this.#ready.pop() ?? Guest.from(imageOf(this.#module, this.#limits), this.#module, this.#limits)
  }

  /** Takes a guest back whose run has settled. No call into it may follow. */
  giveBack(guest: Guest): void {
    if (guest.hasCrashed || guest.memoryBytes > REUSE_BYTES || this.#ready.length >= MAX_READY) return
    guest.restore(imageOf(this.#module, this.#limits))
    this.#ready.push(guest)
  }
}
