import type { TypeStripper } from './type-stripper.js'

let loaded: Promise<TypeStripper> | undefined

/** The stripper, loaded at the first program. */
export function loadTypeStripper(): Promise<TypeStripper> {
  loaded ??= import('./sucrase-stripper.js').then(
    ({ sucraseStripper }) => sucraseStripper,
    error => {
      loaded = undefined
      throw error
    },
  )
  return loaded
}
