import { type JsonObject, jsonSchemaToTs, renderToolsSdk } from 'toolgate'
import { describe, expect, it } from 'vitest'
import { acceptedValues, raw } from './accepted-values.js'
import { manifestSchema, manyDefinitions, workflowSchema } from './big-schemas.js'
import { compile, JSON_VALUE, judge, literal } from './compile.js'

const MANIFEST = {
  name: '@scope/name',
  author: 'A. Person',
  contributors: [{ name: 'B', url: 'https://b.invalid', twitter: 'b' }],
  exports: { '.': { import: './i.js', node: { require: ['./r.cjs', null] } }, './sub': null },
  scripts: { test: 'vitest', 'test:watch': 'vitest -w' },
  dependencies: { a: '^1.0.0' },
  peerDependenciesMeta: { a: { optional: true, why: 'types' } },
  sideEffects: ['*.css'],
  workspaces: { packages: ['packages/*'] },
  _resolved: { by: 'npm' },
  anything: [1, { else: null }],
}
const WORKFLOW = {
  on: { push: { branches: 'main' } },
  jobs: {
    test: {
      name: 'Test',
      'runs-on': ['ubuntu', 'arm'],
      strategy: { matrix: { node: [20, 22, { include: [{ os: 'linux' }] }] }, 'fail-fast': false },
      steps: [
        { uses: 'checkout@v4', with: { depth: 0, lfs: true } },
        { steps: [{ run: 'npm ci', shell: 'bash' }, { steps: [{ run: 'npm test' }] }] },
      ],
      jobs: { lint: { needs: ['test'], 'runs-on': 'ubuntu', steps: [] } },
    },
  },
}
const CHAIN = {
  start: { id: 0, next: { id: 1, far: { id: 38, list: [{ id: 649 }] } }, byName: { x: { id: 5 } } },
}

interface Big {
  readonly name: string
  readonly schema: JsonObject
  readonly valid: readonly unknown[]
  readonly invalid: readonly unknown[]
}

const step = (wrong: object): object => ({ on: 'push', jobs: { a: { 'runs-on': 'x', steps: [wrong] } } })

const SCHEMAS: readonly Big[] = [
  {
    name: 'like that of a package manifest',
    schema: manifestSchema,
    valid: [
      MANIFEST,
      { name: 'a' },
      { name: 'a', constructor: 'x', bin: { a: './a.js' }, author: { name: 'A' } },
    ],
    invalid: [
      {},
      { name: 'a', author: {} },
      { name: 'a', exports: { '.': { import: 5 } } },
      { name: 'a', exports: { '.': { import: { node: [false] } } } },
      { name: 'a', dependencies: { b: 1 } },
      { name: 'a', constructor: 1 },
    ],
  },
  {
    name: 'like that of a workflow, which recurs deeply',
    schema: workflowSchema,
    valid: [WORKFLOW, { on: 'push', jobs: { a: { 'runs-on': 'x' } } }, step({ run: 'x', env: 'env' })],
    invalid: [
      { on: 'push' },
      { on: 'pull', jobs: { a: { 'runs-on': 'x' } } },
      { on: 'push', jobs: { a: { 'runs-on': 'x', stepz: [] } } },
      { on: 'push', jobs: { a: { 'runs-on': 'x', jobs: { b: { 'runs-on': 'x', jobs: { c: {} } } } } } },
      step({ name: 'neither' }),
      step({ id: 'neither' }),
      step({ steps: [{ steps: [{ steps: [{ run: 5 }] }] }] }),
      step({ uses: 'x', with: { depth: null } }),
    ],
  },
  {
    name: 'of 2 000 definitions that refer to each other',
    schema: manyDefinitions(2_000),
    valid: [CHAIN, {}, { start: { id: 0, far: null }, more: 1 }],
    invalid: [
      { start: { id: 1 } },
      { start: { id: 0, next: { id: 1, next: { id: 3 } } } },
      { start: { id: 0, next: { id: 1, far: { id: 38, list: [{ id: 650 }] } } } },
      { start: { id: 0, byName: { x: { id: 5, more: 1 } } } },
    ],
  },
]

describe('a schema', () => {
  it.each(SCHEMAS)('$name prints a type that takes what is valid and nothing else of this', async entry => {
    const { schema, valid, invalid } = entry
    const values = [...valid, ...invalid]
    const [accepted] = await acceptedValues([{ schema: raw(schema), values }])
    expect(accepted).toEqual(values.map((_, index) => index < valid.length))
    const [verdict] = judge([
      {
        prelude: `${JSON_VALUE}\ntype T = ${jsonSchemaToTs(schema)}`,
        statements: values.map((value, index) => `const v${index}: T = ${literal(value)}`),
      },
    ])
    expect(verdict?.broken).toEqual([])
    const compiled = verdict?.statements.map(complaint => complaint === undefined)
    expect(compiled).toEqual(values.map((_, index) => index < valid.length))
  })

  it('of any such size prints as parameters and output of a tool', () => {
    const tools = SCHEMAS.map(({ schema }, index) => ({
      name: `tool-${index}`,
      parameters: schema,
      output: schema,
    }))
    expect(compile([renderToolsSdk(tools)]).flat()).toEqual([])
  })
})
