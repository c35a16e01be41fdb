import { EventEmitter } from 'eventemitter3'
import { ToolgateError } from '../errors/toolgate-error.js'
import { EVENT_NAMES, type ToolgateEvents } from './event-map.js'

/** Hears one kind of event. What it returns is ignored; a promise is not awaited. */
export type EventListener<E extends keyof ToolgateEvents> = (event: ToolgateEvents[E]) => unknown

type Deliver = (this: unknown, payload: object) => void

/** The registry's events. A listener that throws or rejects changes nothing: the fault is an `observer-error`. */
export class EventHub {
  readonly #emitter = new EventEmitter()
  // One function per event serves all its listeners: the listener itself is the emitter's `context`.
  readonly #deliver: ReadonlyMap<string, Deliver>

  constructor() {
    const contain = this.#contain.bind(this)
    this.#deliver = new Map(
      EVENT_NAMES.map(event => [
        event,
        function (this: unknown, payload: object): void {
          contain(event, payload, this as (payload: object) => unknown)
        },
      ]),
    )
  }

  on<E extends keyof ToolgateEvents>(event: E, listener: EventListener<E>): void {
    this.#emitter.on(event, this.#deliverer(event, listener), listener)
  }

  once<E extends keyof ToolgateEvents>(event: E, listener: EventListener<E>): void {
    this.#emitter.once(event, this.#deliverer(event, listener), listener)
  }

  off<E extends keyof ToolgateEvents>(event: E, listener: EventListener<E>): void {
    this.#emitter.off(event, this.#deliverer(event, listener), listener)
  }

  /** True if anybody listens: who emits may then take the trouble to make the event. */
  has(event: keyof ToolgateEvents): boolean {
    return this.#emitter.listenerCount(event) > 0
  }

  emit<E extends keyof ToolgateEvents>(event: E, payload: ToolgateEvents[E]): void {
    // Frozen once for all: a listener cannot change what the next one sees.
    if (this.has(event)) this.#emitter.emit(event, Object.freeze(payload))
  }

  #contain(event: keyof ToolgateEvents, payload: object, listener: (payload: object) => unknown): void {
    const report = (error: unknown): void => {
      // A fault in an observer of faults has nowhere further to go.
      if (event === 'observer-error') return
      const { callId, name, scope } = payload as Partial<ToolgateEvents['progress']>
      const about = { ...(callId && { callId }), ...(name && { name }), ...(scope && { scope }) }
      this.emit('observer-error', { event, error, ...about })
    }
    contain(() => listener(payload), report)
  }

  #deliverer(event: string, listener: unknown): Deliver {
    const deliver = this.#deliver.get(event)
    if (deliver === undefined)
      throw new ToolgateError(
        'INVALID_OPTIONS',
        `There is no event "${event}"; there are ${EVENT_NAMES.join(', ')}`,
      )
    if (typeof listener !== 'function')
      throw new ToolgateError('INVALID_OPTIONS', `The listener of "${event}" must be a function`)
    return deliver
  }
}

/** For what should have been synchronous: a rejection of what came back instead must not become the process's. */
export function dropRejection(returned: unknown): void {
  contain(
    () => returned,
    () => {},
  )
}

/** Runs what must not disturb its caller: a throw goes to `report`, and so does a rejection, which is not awaited. */
export function contain(run: () => unknown, report: (error: unknown) => void): void {
  try {
    const returned: unknown = run()
    if (typeof returned !== 'object' || returned === null) return
    const { then } = returned as { then?: unknown }
    if (typeof then === 'function') Promise.resolve(returned).then(undefined, report)
  } catch (error) {
    report(error)
  }
}
