import { readFileSync } from 'node:fs'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { createToolRegistry } from '../../dist/index.js'
import { quickJsRuntime } from '../../dist/quickjs.js'

const COUNTS = [10, 100, 1000]
const data = name => readFileSync(new URL(`../../test/data/${name}`, import.meta.url), 'utf8')

/** Tools as others published them: those of a server for GitHub first, then those of a benchmark of function calls. */
function publishedTools() {
  const { tools } = JSON.parse(data('github-tools.json'))
  const cases = data('bfcl-cases.jsonl').trim().split('\n')
  const list = [
    ...tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
    ...cases.flatMap(line => JSON.parse(line).tools),
  ]
  const byName = new Map(list.map(tool => [tool.name.slice(0, 64), tool]))
  const real = [...byName].map(([name, tool]) => ({ ...tool, name, execute: () => 'done' }))
  // The benchmark has fewer names than the largest count: the rest are the same tools under other names.
  const more = Array.from({ length: Math.max(0, COUNTS.at(-1) - real.length) }, (_, i) => ({
    ...real[i % real.length],
    name: `${real[i % real.length].name.slice(0, 58)}_v${2 + Math.floor(i / real.length)}`,
  }))
  return [...real, ...more]
}

/** Tokens of all that a model is given of the tools before it has written a word. */
function tokensOf(tools, options) {
  const { tools: wire, sections } = createToolRegistry({ tools, ...options }).present()
  const text = [JSON.stringify(wire), ...sections.map(section => section.text)].join('\n')
  return encode(text).length
}

const codeRuntime = () => quickJsRuntime()
const WAYS = [
  ['native: every schema', {}],
  ['Code Mode, full: every declaration', { mode: 'code', codeRuntime, codeMode: { sdk: 'full' } }],
  ['Code Mode, search: names and one line each', { mode: 'code', codeRuntime, codeMode: { sdk: 'search' } }],
  ['Code Mode, auto', { mode: 'code', codeRuntime }],
]

export default async function tokens() {
  const tools = publishedTools()
  const cases = COUNTS.map(count => ({
    name: `${count.toLocaleString('en-US')} tools`,
    lines: WAYS.map(([name, options]) => {
      const size = tokensOf(tools.slice(0, count), options)
      return { name, value: `${size.toLocaleString('en-US')} tokens`, size }
    }),
  }))
  return {
    title: 'Tokens before the first word',
    text:
      'What a model is given of 10, 100 and 1,000 tools that others published, in tokens of `o200k_base`. The ratio is to native. Intermediate ' +
      'results, which Code Mode keeps out of the conversation, are not in it.',
    cases,
  }
}
