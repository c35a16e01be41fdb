import type { CpuBudget } from './cpu-budget.js'

/** What one run gives to the guest it runs in. */
export interface GuestOwner {
  readonly budget: CpuBudget
  now(): number
  /** Asked before a large message is read, by its beginning and its UTF-8 bytes. False leaves it unread. */
  admits(head: string, bytes: number): boolean
  /** Takes a message of the guest; a text goes back to it. */
  receive(message: string): string | undefined
  moduleSource(name: string): string
}
