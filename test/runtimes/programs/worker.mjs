import wasmModule from 'toolgate/quickjs.wasm'
import { smoke } from './smoke.mjs'

function canCompileText() {
  try {
    return new Function('return true')()
  } catch {
    return false
  }
}

export default {
  async fetch() {
    try {
      if (canCompileText()) throw new Error('this runtime was expected to refuse code from text')
      await smoke({ wasmModule })
      return new Response('ok')
    } catch (error) {
      return new Response(`${error?.stack ?? error}`, { status: 500 })
    }
  },
}
