type Polyfills = { readonly [part: string]: string }

let loaded: Promise<Polyfills> | undefined

async function load(): Promise<Polyfills> {
  const { POLYFILLS } = await import('../generated/polyfills.js')
  return POLYFILLS
}

/** Texts of what programs touch, loaded at the first program. */
export function loadPolyfills(): Promise<Polyfills> {
  loaded ??= load().catch(error => {
    loaded = undefined
    throw error
  })
  return loaded
}
