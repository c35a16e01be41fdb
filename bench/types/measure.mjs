// What tools cost the compiler. `node bench/types/measure.mjs [declarations] [--peers | --brief]`, by default those of the build;
// brief is the schema language alone. Ends with 1 where `defineTool` costs more than the plain generic function, or where 200
// zod tools do not compile with a heap of 1 GiB.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { compile, DECLARATIONS } from './compile.mjs'
import { CONTESTANTS } from './contestants.mjs'

const CHILD = fileURLToPath(new URL('compile-child.mjs', import.meta.url))
const HEAP_MB = 1024

/** Instantiations for 100 tools, without what the first one costs once for all. */
function instantiations(name, declarations) {
  const [many, one] = [101, 1].map(count => compile(CONTESTANTS[name], count, declarations).instantiations)
  return many - one
}

/** Megabytes of heap after compiling 200 tools in a process that has no more than `HEAP_MB`. */
async function heap(name, declarations) {
  const { stdout } = await promisify(execFile)(process.execPath, [
    `--max-old-space-size=${HEAP_MB}`,
    CHILD,
    name,
    '200',
    declarations,
  ])
  return Math.round(JSON.parse(stdout).heapBytes / 2 ** 20)
}

/** All the numbers, as `{ title, unit, rows: [[contestant, number, note?]] }`, and what is over its bound. */
export async function measureTypes({ declarations = DECLARATIONS, brief = false, peers = false } = {}) {
  const counted = (name, key, note) => [name, instantiations(key, declarations), note]
  const weighed = async (name, key) => [name, await heap(key, declarations)]
  const own = counted('toolgate', 'toolgate')
  const plain = counted('a plain generic function', 'plain', 'flat maps of three scalar types, no more')
  const cases = [{ title: '100 tools, schema language', unit: 'instantiations', rows: [own, plain] }]
  if (!brief) {
    const note = 'an enum, an array of objects, a union, an output schema, two callbacks'
    const rich = [counted('toolgate', 'toolgateRich', note)]
    const zod = [
      counted('toolgate', 'toolgateZod'),
      counted('a plain generic function', 'plainZod', "infers by zod's own types"),
    ]
    const memory = [await weighed('toolgate', 'toolgateZod')]
    if (peers) {
      zod.push(counted('ai', 'ai'))
      zod.push(counted('@modelcontextprotocol/sdk', 'mcp', 'takes the properties without `z.object`'))
      memory.push(await weighed('ai', 'ai'), await weighed('@modelcontextprotocol/sdk', 'mcp'))
    }
    cases.push(
      { title: '100 tools, all of the schema language', unit: 'instantiations', rows: rich },
      { title: '100 tools, zod', unit: 'instantiations', rows: zod },
      { title: '200 tools, zod', unit: 'MiB of heap', rows: memory },
    )
  }
  if (own[1] <= plain[1]) return { cases }
  return {
    cases,
    failure: `100 tools cost ${own[1]} instantiations, with a plain generic function ${plain[1]}`,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2)
  const [declarations] = args.filter(arg => !arg.startsWith('--'))
  const { cases, failure } = await measureTypes({
    ...(declarations && { declarations }),
    brief: args.includes('--brief'),
    peers: args.includes('--peers'),
  })
  for (const { title, unit, rows } of cases)
    for (const [name, value] of rows) console.log(`${title} | ${name} | ${value} ${unit}`)
  if (failure !== undefined) {
    console.error(failure)
    process.exitCode = 1
  }
}
