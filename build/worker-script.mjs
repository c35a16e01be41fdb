// Bundles what runs inside the workers of `toolgate/quickjs-worker` into one classic script that needs nothing around it.
import { join } from 'node:path'
import { build } from 'esbuild'

// The host sends each worker the compiled engine and what the guest evaluates when it is touched.
const STUBS = {
  'engine-binary.js': 'export const ENGINE_BASE64 = ""',
  'polyfills.js': 'export const POLYFILLS = {}',
}
const withoutWhatIsSent = {
  name: 'without-what-is-sent',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/generated\// }, ({ path }) => {
      const name = path.split('/').at(-1)
      return Object.hasOwn(STUBS, name) ? { path: name, namespace: 'sent' } : undefined
    })
    onLoad({ filter: /.*/, namespace: 'sent' }, ({ path }) => ({ contents: STUBS[path] }))
  },
}

/** The script's text. */
export async function workerScript(sources) {
  const { outputFiles } = await build({
    entryPoints: [join(sources, 'worker/worker-main.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    plugins: [withoutWhatIsSent],
  })
  return outputFiles[0].text
}
