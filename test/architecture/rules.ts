import { posix } from 'node:path'
import type { ImportEdge, SourceFile, SourceGraph } from './source-graph.js'

/** One broken rule, readable on its own. */
export type RuleViolation = string

/** A rule looks at the whole graph and lists what breaks it. */
export type Rule = (graph: SourceGraph) => RuleViolation[]

/** Each folder may import itself and the ones before it. */
const FLOW = [
  'errors',
  'json',
  'queue',
  'schema',
  'tools',
  'scopes',
  'approvals',
  'events',
  'pipeline',
  'schedule',
  'registry',
  'code-mode',
]

/** Folders outside the flow, with all they may import from others. */
const BESIDE: { readonly [folder: string]: readonly string[] } = {
  presentation: ['json', 'tools'],
  sandbox: ['errors', 'json'],
  'sandbox/quickjs': ['errors', 'json', 'queue', 'sandbox'],
}

/** Folders in the flow that may also use one beside it, from this one on. */
const JOINS: { readonly [folder: string]: string } = { presentation: 'tools' }

/** Made of what `index.ts` exports, so that a user could have written them. */
const PUBLIC_ONLY = ['policies', 'adapters', 'testing']

/** Programs that use the package by its name, as anybody's would, and import nothing else of it. */
const APART = ['cli']

/** What Code Mode shares with the sandbox: the interface, and how a program's text is read and shown. */
const SANDBOX_SHARED = ['sandbox/code-runtime.ts', 'sandbox/program-shape.ts', 'sandbox/code-frame.ts']
const ENGINE_ENTRIES = ['quickjs.ts', 'quickjs-worker.ts']
const COMPILER = 'code-mode/typecheck/'
const MAIN_ENTRY = 'index.ts'
const SINGLE_OWNER = [
  'ajv',
  '@cfworker/json-schema',
  'eventemitter3',
  'sucrase',
  '@opentelemetry/api',
  'jsonc-parser',
  'cross-spawn',
]
const MAX_LINES = 300
const LINE_LIMITS: { readonly [path: string]: number } = { 'pipeline/execute-call.ts': 79 }
const KEBAB_PATH = /^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.ts$/

const isEntry = (path: string): boolean => !path.includes('/')

function folderOf(path: string): string {
  const folder = posix.dirname(path)
  if (folder.startsWith('sandbox/quickjs')) return 'sandbox/quickjs'
  return folder.split('/')[0] ?? folder
}

function* edges(graph: SourceGraph): Generator<readonly [SourceFile, ImportEdge]> {
  for (const file of graph.values()) for (const edge of file.imports) yield [file, edge]
}

function* localEdges(graph: SourceGraph): Generator<readonly [SourceFile, ImportEdge, string]> {
  for (const [file, edge] of edges(graph)) if (edge.target !== undefined) yield [file, edge, edge.target]
}

function mayImport(from: string, to: string): boolean {
  if (from === to) return true
  const beside = BESIDE[from]
  if (beside !== undefined) return beside.includes(to)
  const rank = FLOW.indexOf(from)
  const joined = JOINS[to]
  if (joined !== undefined) return rank >= FLOW.indexOf(joined)
  return FLOW.includes(to) && FLOW.indexOf(to) < rank
}

/** Every import resolves to a file, and every folder has a place in the order. */
export const knownPlaces: Rule = graph => {
  const found: RuleViolation[] = []
  const places = new Set([...FLOW, ...Object.keys(BESIDE), ...PUBLIC_ONLY, ...APART])
  for (const { path } of graph.values())
    if (!isEntry(path) && !places.has(folderOf(path))) found.push(`${path}: its folder has no place`)
  for (const [file, edge, target] of localEdges(graph))
    if (!graph.has(target)) found.push(`${file.path}: ${edge.specifier} is not a file`)
  return found
}

/** A lower folder imports nothing from a higher one, types included, and nothing imports an entry. */
export const layering: Rule = graph => {
  const found: RuleViolation[] = []
  for (const [file, , target] of localEdges(graph)) {
    const from = folderOf(file.path)
    if (isEntry(target)) {
      const publicUse = target === MAIN_ENTRY && PUBLIC_ONLY.includes(from)
      if (!publicUse || from === 'policies') found.push(`${file.path} imports the entry ${target}`)
      continue
    }
    if (isEntry(file.path) || PUBLIC_ONLY.includes(from)) continue
    if (from === 'code-mode' && SANDBOX_SHARED.includes(target)) continue
    if (!mayImport(from, folderOf(target))) found.push(`${file.path} imports ${target}`)
  }
  return found
}

/** Only `quickjs.ts` and `quickjs-worker.ts` import the engine's folder. */
export const engineBehindItsEntry: Rule = graph => {
  const found: RuleViolation[] = []
  for (const [file, , target] of localEdges(graph)) {
    if (folderOf(target) !== 'sandbox/quickjs' || folderOf(file.path) === 'sandbox/quickjs') continue
    if (!ENGINE_ENTRIES.includes(file.path)) found.push(`${file.path} imports ${target}`)
  }
  return found
}

/** Only `typecheck.ts` imports what needs the TypeScript compiler. */
export const compilerBehindItsEntry: Rule = graph => {
  const found: RuleViolation[] = []
  for (const [file, edge] of edges(graph)) {
    const needsIt = edge.specifier === 'typescript' || edge.target?.startsWith(COMPILER)
    if (needsIt && !file.path.startsWith(COMPILER) && file.path !== 'typecheck.ts')
      found.push(`${file.path} imports ${edge.specifier}`)
  }
  return found
}

/** Follows re-exports to where a name is declared: `path#name`. */
function origin(graph: SourceGraph, path: string, name: string, seen: Set<string> = new Set()): string {
  const here = `${path}#${name}`
  const file = graph.get(path)
  if (file === undefined || seen.has(here)) return here
  seen.add(here)
  const exported = file.exports.get(name)
  if (exported !== undefined) {
    if (exported.file === path) return here
    return origin(graph, exported.file, exported.name, seen)
  }
  for (const star of file.starExports) {
    const at = origin(graph, star, name, seen)
    const [declaring = '', original = ''] = at.split('#')
    if (graph.get(declaring)?.exports.has(original) === true) return at
  }
  return here
}

function exportedNames(graph: SourceGraph, path: string, seen: Set<string> = new Set()): string[] {
  const file = graph.get(path)
  if (file === undefined || seen.has(path)) return []
  seen.add(path)
  return [...file.exports.keys(), ...file.starExports.flatMap(star => exportedNames(graph, star, seen))]
}

/** Policies, adapters and the testing kit import only what the main entry exports, and their own folder. */
export const madeOfPublicParts: Rule = graph => {
  const found: RuleViolation[] = []
  const published = new Set(exportedNames(graph, MAIN_ENTRY).map(name => origin(graph, MAIN_ENTRY, name)))
  for (const [file, edge, target] of localEdges(graph)) {
    const from = folderOf(file.path)
    if (!PUBLIC_ONLY.includes(from) || isEntry(file.path) || folderOf(target) === from) continue
    for (const name of edge.names) {
      const isPublic = name === '*' ? target === MAIN_ENTRY : published.has(origin(graph, target, name))
      if (!isPublic)
        found.push(`${file.path} imports ${name} of ${target}, which ${MAIN_ENTRY} does not export`)
    }
  }
  return found
}

/** Each of these packages is imported by at most one file. */
export const oneOwner: Rule = graph =>
  SINGLE_OWNER.flatMap(name => {
    const owners = new Set<string>()
    for (const [file, { specifier }] of edges(graph))
      if (specifier === name || specifier.startsWith(`${name}/`)) owners.add(file.path)
    return owners.size > 1 ? [`${name} is imported by ${[...owners].join(' and ')}`] : []
  })

/** Packages come from the manifest's dependencies or peers: what is only installed for development is not there for users. */
export const declaredPackages = (declared: ReadonlySet<string>): Rule => {
  const packageName = /^(@[^/]+\/[^/]+|[^/]+)/
  return graph => {
    const found: RuleViolation[] = []
    for (const [file, { specifier, target }] of edges(graph)) {
      if (target !== undefined || specifier.startsWith('node:')) continue
      const name = packageName.exec(specifier)?.[0] ?? specifier
      if (!declared.has(name)) found.push(`${file.path} imports ${specifier}, which is no dependency`)
    }
    return found
  }
}

/** No file reaches itself through its imports, types included. Each cycle is reported once. */
export const noCycles: Rule = graph => {
  const found: RuleViolation[] = []
  const done = new Set<string>()
  const walk = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path)
    if (at >= 0) {
      found.push([...trail.slice(at), path].join(' -> '))
      return
    }
    if (done.has(path)) return
    for (const { target } of graph.get(path)?.imports ?? [])
      if (target !== undefined) walk(target, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) walk(path, [])
  return found
}

/** Files stay short enough to read in one go; the list of stages even more so. */
export const fileLength: Rule = graph =>
  [...graph.values()].flatMap(({ path, lines }) => {
    const limit = LINE_LIMITS[path] ?? MAX_LINES
    return lines > limit ? [`${path} has ${lines} lines; the limit is ${limit}`] : []
  })

/** Files and folders are kebab-case. */
export const kebabCase: Rule = graph =>
  [...graph.keys()].filter(path => !KEBAB_PATH.test(path)).map(path => `${path} is not kebab-case`)

/** A name has one spelling everywhere, so nothing is exported as default. */
export const noDefaultExport: Rule = graph =>
  [...graph.values()].filter(file => file.hasDefaultExport).map(({ path }) => `${path} has a default export`)

/** Entries hold names only. */
export const entriesReExport: Rule = graph =>
  [...graph.values()]
    .filter(file => isEntry(file.path) && !file.onlyReExports)
    .map(({ path }) => `${path} does more than re-export names`)

/** What the main entry loads at import runs anywhere: no `node:`, no WebAssembly, no code from strings. */
export const portableMainEntry: Rule = graph => {
  const found: RuleViolation[] = []
  const reached = new Set<string>()
  const walk = (path: string): void => {
    const file = graph.get(path)
    if (file === undefined || reached.has(path)) return
    reached.add(path)
    for (const use of file.codeGeneration) found.push(`${path} uses ${use}`)
    for (const { specifier, target, kind } of file.imports) {
      if (kind !== 'static') continue
      if (specifier.startsWith('node:')) found.push(`${path} imports ${specifier}`)
      if (target !== undefined) walk(target)
    }
  }
  walk(MAIN_ENTRY)
  return found
}
