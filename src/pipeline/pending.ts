/** What is there already, or on its way. Most calls have nothing to wait for, and are not made to. */
export type Pending<T> = T | Promise<T>

/** True for what is still on its way. */
export const isPending = <T>(given: Pending<T>): given is Promise<T> => given instanceof Promise
