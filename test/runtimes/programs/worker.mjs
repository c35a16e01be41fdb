import wasmModule from 'toolgate/quickjs.wasm'
import { conformInProcess } from './conformance.mjs'
import { smoke } from './smoke.mjs'

function canCompileText() {
  try {
    return new Function('return true')()
  } catch {
    return false
  }
}

export default {
  async fetch(request) {
    try {
      if (canCompileText()) throw new Error('this runtime was expected to refuse code from text')
      const { pathname } = new URL(request.url)
      if (pathname === '/measured') await conformInProcess({ wasmModule })
      else if (pathname === '/counted') await conformInProcess({ wasmModule, cpuClock: 'counted' })
      else await smoke({ wasmModule })
      return new Response('ok')
    } catch (error) {
      return new Response(`${error?.stack ?? error}`, { status: 500 })
    }
  },
}
