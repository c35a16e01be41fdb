let compiled: Promise<WebAssembly.Module> | undefined

async function compile(): Promise<WebAssembly.Module> {
  const { ENGINE_BASE64 } = await import('../generated/engine-binary.js')
  const text = atob(ENGINE_BASE64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i)
  return WebAssembly.compile(bytes)
}

/** The embedded engine, compiled once for the process at its first use. */
export function loadModule(): Promise<WebAssembly.Module> {
  compiled ??= compile().catch(error => {
    compiled = undefined
    throw error
  })
  return compiled
}
