import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  compilerBehindItsEntry,
  declaredPackages,
  engineBehindItsEntry,
  entriesReExport,
  fileLength,
  kebabCase,
  knownPlaces,
  layering,
  madeOfPublicParts,
  noCycles,
  noDefaultExport,
  oneOwner,
  portableMainEntry,
  type Rule,
} from './architecture/rules.js'
import { graphOf, readGraph } from './architecture/source-graph.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  readonly dependencies: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly exports: Record<string, unknown>
}
const source = readGraph(`${root}src`)
/** Carried inside the build, with their licences: nobody need install them. */
const BUNDLED = ['sucrase', 'jsonc-parser', 'cross-spawn']
/** The command uses the package by its name. */
const OWN_NAME = 'toolgate'
const shippedPackages = declaredPackages(
  new Set([
    ...Object.keys(manifest.dependencies),
    ...Object.keys(manifest.peerDependencies ?? {}),
    ...BUNDLED,
    OWN_NAME,
  ]),
)

describe('the source keeps its rules', () => {
  const rules: { readonly [sentence: string]: Rule } = {
    'every folder has a place and every import a file': knownPlaces,
    'lower folders import nothing from higher ones': layering,
    'only the quickjs entry imports the engine': engineBehindItsEntry,
    'only the typecheck entry imports the compiler': compilerBehindItsEntry,
    'policies, adapters and the testing kit are made of public parts': madeOfPublicParts,
    'ajv, @cfworker, eventemitter3, sucrase, jsonc-parser and cross-spawn have one owner each': oneOwner,
    'packages are dependencies or peers': shippedPackages,
    'there are no cycles': noCycles,
    'files are short': fileLength,
    'names are kebab-case': kebabCase,
    'nothing is exported as default': noDefaultExport,
    'entries only re-export names': entriesReExport,
    'the main entry runs anywhere': portableMainEntry,
  }
  test.each(Object.entries(rules))('%s', (_sentence, rule) => {
    expect(rule(source)).toEqual([])
  })

  test('the list of stages is where the rules look for it', () => {
    expect(source.has('pipeline/execute-call.ts')).toBe(true)
  })

  test('every entry is in the exports map and every export has an entry', () => {
    const entries = [...source.keys()].filter(path => !path.includes('/')).map(path => path.slice(0, -3))
    const exported = Object.entries(manifest.exports).filter(([, target]) => typeof target === 'object')
    expect(Object.fromEntries(exported)).toEqual(
      Object.fromEntries(
        entries.map(name => [
          name === 'index' ? '.' : `./${name}`,
          { types: `./dist/types/${name}.d.ts`, default: `./dist/${name}.js` },
        ]),
      ),
    )
  })
})

describe('each rule sees what breaks it', () => {
  const lines = (count: number): string => 'export {}\n'.repeat(count)
  const cases: readonly (readonly [string, Rule, { readonly [path: string]: string }])[] = [
    ['a folder without a place', knownPlaces, { 'utils/pad.ts': '' }],
    ['an import of nothing', knownPlaces, { 'json/a.ts': "import './b.js'" }],
    [
      'an import of a higher folder',
      layering,
      { 'json/a.ts': "import { b } from '../tools/b.js'", 'tools/b.ts': '' },
    ],
    ['a type of a higher folder', layering, { 'schema/a.ts': "import type { B } from '../registry/b.js'" }],
    ['an inline type of a higher folder', layering, { 'tools/a.ts': "let a: import('../pipeline/b.js').B" }],
    ['a dynamic import of a higher folder', layering, { 'events/a.ts': "await import('../schedule/b.js')" }],
    ['a re-export of a higher folder', layering, { 'errors/a.ts': "export { b } from '../json/b.js'" }],
    ['a card that knows the scopes', layering, { 'presentation/a.ts': "import '../scopes/b.js'" }],
    [
      'a schema that knows cards',
      layering,
      { 'schema/a.ts': "import type { B } from '../presentation/b.js'" },
    ],
    ['a sandbox that has heard of tools', layering, { 'sandbox/quickjs/a.ts': "import '../../tools/b.js'" }],
    ['a sandbox interface that knows an engine', layering, { 'sandbox/a.ts': "import './quickjs/b.js'" }],
    ['a pipeline that knows the sandbox', layering, { 'pipeline/a.ts': "import '../sandbox/b.js'" }],
    ['Code Mode past the sandbox interface', layering, { 'code-mode/a.ts': "import '../sandbox/other.js'" }],
    ['a file that imports an entry', layering, { 'pipeline/a.ts': "import { b } from '../index.js'" }],
    [
      'a command that reaches into the package',
      layering,
      { 'cli/a.ts': "import { b } from '../tools/b.js'" },
    ],
    ['a policy that imports its own entry', layering, { 'policies/a.ts': "import { b } from '../index.js'" }],
    [
      'the engine outside its entry',
      engineBehindItsEntry,
      { 'index.ts': "export { a } from './sandbox/quickjs/a.js'" },
    ],
    [
      'an engine type in Code Mode',
      engineBehindItsEntry,
      { 'code-mode/a.ts': "import type { A } from '../sandbox/quickjs/a.js'" },
    ],
    [
      'the compiler in Code Mode',
      compilerBehindItsEntry,
      { 'code-mode/a.ts': "import ts from 'typescript'" },
    ],
    [
      'the checker in the main entry',
      compilerBehindItsEntry,
      { 'index.ts': "export { a } from './code-mode/typecheck/a.js'" },
    ],
    [
      'a policy with a private part',
      madeOfPublicParts,
      {
        'index.ts': "export { a } from './tools/a.js'",
        'tools/a.ts': 'export const a = 1, hidden = 2',
        'policies/p.ts': "import { a, hidden } from '../tools/a.js'",
      },
    ],
    [
      'an adapter that takes a whole module',
      madeOfPublicParts,
      {
        'index.ts': "export * from './tools/a.js'",
        'tools/a.ts': 'export const a = 1',
        'adapters/p.ts': "import * as all from '../tools/a.js'",
      },
    ],
    [
      'a name lost on the way through a renamed re-export',
      madeOfPublicParts,
      {
        'index.ts': "export { b as a } from './tools/a.js'",
        'tools/a.ts': 'export const a = 1, b = 2',
        'adapters/p.ts': "import type { a } from '../tools/a.js'",
      },
    ],
    [
      'two owners of a package',
      oneOwner,
      { 'schema/a.ts': "import 'ajv'", 'schema/b.ts': "await import('ajv/dist/2020.js')" },
    ],
    ['a package for development only', shippedPackages, { 'json/a.ts': "import 'vitest'" }],
    [
      'a cycle of types',
      noCycles,
      { 'json/a.ts': "import type { B } from './b.js'", 'json/b.ts': "export * from './a.js'" },
    ],
    ['a file of 301 lines', fileLength, { 'json/a.ts': lines(301) }],
    ['a list of stages of 80 lines', fileLength, { 'pipeline/execute-call.ts': lines(80) }],
    ['a camelCase file', kebabCase, { 'json/jsonPath.ts': '' }],
    ['a camelCase folder', kebabCase, { 'codeMode/a.ts': '' }],
    ['a default export', noDefaultExport, { 'json/a.ts': 'export default 1' }],
    ['a default function', noDefaultExport, { 'json/a.ts': 'export default function a() {}' }],
    ['a name exported as default', noDefaultExport, { 'json/a.ts': 'const a = 1\nexport { a as default }' }],
    ['an entry with code', entriesReExport, { 'index.ts': 'export const a = 1' }],
    [
      'an entry that imports',
      entriesReExport,
      { 'index.ts': "import { a } from './json/a.js'\nexport { a }" },
    ],
    ['a node builtin', portableMainEntry, { 'index.ts': "export { a } from 'node:fs'" }],
    [
      'WebAssembly behind the main entry',
      portableMainEntry,
      { 'index.ts': "export { a } from './json/a.js'", 'json/a.ts': 'export const a = WebAssembly.Module' },
    ],
    [
      'a function from text behind the main entry',
      portableMainEntry,
      { 'index.ts': "export { a } from './json/a.js'", 'json/a.ts': "export const a = new Function('')" },
    ],
    [
      'eval behind the main entry',
      portableMainEntry,
      { 'index.ts': "export { a } from './json/a.js'", 'json/a.ts': "export const a = eval('1')" },
    ],
  ]
  test.each(cases)('%s', (_what, rule, texts) => {
    expect(rule(graphOf(texts))).toHaveLength(1)
  })
})

describe('no rule sees what breaks none', () => {
  const clean = graphOf({
    'index.ts':
      "export { a } from './tools/a.js'\nexport * from './json/v.js'\nexport type { R } from './sandbox/code-runtime.js'\nexport { p } from './policies/p.js'",
    'quickjs.ts': "export { q } from './sandbox/quickjs/q.js'",
    'json/v.ts': "export type { V } from './w.js'\nexport const v = 1",
    'json/w.ts': 'export interface V { own: true }',
    'tools/a.ts':
      "import type { Card } from '../presentation/card.js'\nexport const a = (card: Card) => card",
    'presentation/card.ts': "import type { V } from '../json/v.js'\nexport type Card = V",
    'sandbox/code-runtime.ts': 'export interface R { run(): void }',
    'sandbox/quickjs/q.ts':
      "import type { R } from '../code-runtime.js'\nimport 'sucrase'\nexport const q = WebAssembly as unknown as R",
    'code-mode/run.ts':
      "import type { R } from '../sandbox/code-runtime.js'\nimport { a } from '../tools/a.js'\nexport const run = (r: R) => a",
    'policies/p.ts':
      "import { a } from '../tools/a.js'\nimport type { V } from '../json/w.js'\nexport const p = a",
    'adapters/open/o.ts': "import { p, a, type V } from '../../index.js'\nimport './helper.js'",
    'adapters/open/helper.ts': 'export {}',
    'pipeline/execute-call.ts': 'export {}\n'.repeat(79),
    'schedule/long.ts': 'export {}\n'.repeat(300),
  })
  test.each([
    knownPlaces,
    layering,
    engineBehindItsEntry,
    madeOfPublicParts,
    oneOwner,
    shippedPackages,
    noCycles,
    fileLength,
    kebabCase,
    noDefaultExport,
    entriesReExport,
    portableMainEntry,
  ])('%o', rule => {
    expect(rule(clean)).toEqual([])
  })
})
