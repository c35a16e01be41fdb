import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { attempt } from '../measure.mjs'

const dist = name => fileURLToPath(new URL(`../../dist/${name}`, import.meta.url))
const here = fileURLToPath(new URL('..', import.meta.url))

/** What an importer of everything that an entry exports would ship, dynamic imports as files of their own. */
async function bundle(source, external) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: here },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'silent',
    legalComments: 'none',
    external,
  })
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [
      path.replaceAll('\\', '/').split('/out/').at(-1),
      { minified: contents.length, gzipped: gzipSync(contents, { level: 9 }).length },
    ]),
  )
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [path.split('out/').at(-1), output]),
  )
  const reached = new Set()
  const visit = file => {
    if (reached.has(file) || !sizes.has(file)) return
    reached.add(file)
    for (const { path, kind } of outputs.get(file).imports)
      if (kind === 'import-statement') visit(path.split('out/').at(-1))
  }
  visit('stdin.js')
  const total = key => [...reached].reduce((sum, file) => sum + sizes.get(file)[key], 0)
  const packages = {}
  for (const file of reached)
    for (const [path, { bytesInOutput }] of Object.entries(outputs.get(file).inputs)) {
      const [, name = 'own code'] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
      packages[name] = (packages[name] ?? 0) + bytesInOutput
    }
  return { minified: total('minified'), gzipped: total('gzipped'), packages }
}

const kib = bytes => `${(bytes / 1024).toFixed(1)} KiB`

async function line(name, source, external, note) {
  return attempt(name, async () => {
    const { minified, gzipped, packages } = await bundle(source, external)
    const parts = Object.entries(packages)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 5)
      .map(([part, bytes]) => `${part} ${kib(bytes)}`)
    return {
      name,
      size: gzipped,
      value: kib(gzipped),
      note: `${note ? `${note}; ` : ''}minified ${kib(minified)}: ${parts.join(', ')}`,
    }
  })
}

const VALIDATORS = ['ajv', 'ajv/*', 'ajv-formats', '@cfworker/json-schema']

export default async function size() {
  const all = specifier => `export * from ${JSON.stringify(specifier)}`
  const peers = [
    ['ai', all('ai'), 'all of it'],
    ['ai', "export { tool, asSchema } from 'ai'", '`tool` and `asSchema`'],
    ['@deepseek-ai/dsh-tools', all('@deepseek-ai/dsh-tools')],
    [
      '@modelcontextprotocol/sdk',
      `${all('@modelcontextprotocol/sdk/server/mcp.js')}\n${all('@modelcontextprotocol/sdk/client/index.js')}`,
      'client and server',
    ],
  ]
  return {
    title: 'Size',
    text: 'Minified and gzipped, without Ajv and @cfworker/json-schema for everybody; what is imported on demand is not counted.',
    cases: [
      {
        name: 'main entry',
        lines: [
          await line('toolgate', all(dist('index.js')), VALIDATORS),
          await line(
            'toolgate',
            `export { createToolRegistry, defineTool } from ${JSON.stringify(dist('index.js'))}`,
            VALIDATORS,
            '`createToolRegistry` and `defineTool`',
          ),
          ...(await Promise.all(peers.map(([name, source, note]) => line(name, source, VALIDATORS, note)))),
        ],
      },
      {
        name: 'sandbox entry',
        lines: [
          await line(
            'toolgate',
            all(dist('quickjs.js')),
            VALIDATORS,
            'the engine is a module loaded on demand',
          ),
          await line(
            '@executor-js/runtime-quickjs',
            all('@executor-js/runtime-quickjs'),
            VALIDATORS,
            'the engine is a file beside it',
          ),
          await line(
            'run',
            all('run'),
            VALIDATORS,
            'without its worker and engine, which are files beside it',
          ),
        ],
      },
    ],
  }
}
