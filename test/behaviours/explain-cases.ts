import type { ToolExplanation, ToolRegistryOptions } from 'toolgate'
import { countedTool } from '../support/tools.js'

const tools = (...names: string[]) => names.map(name => countedTool(name))
const codeRuntime = { run: async () => ({ logs: [] }) }

/** One tool in one scope, and all that is told of it. */
export interface ExplainCase {
  readonly what: string
  readonly options: ToolRegistryOptions
  readonly scope: string
  readonly name: string
  /** Besides `name` and `text`; `suggestions` are none unless they are here. */
  readonly explained: Omit<ToolExplanation, 'name' | 'text' | 'suggestions'> & {
    suggestions?: readonly string[]
  }
  readonly text: string
}

const masked: ToolRegistryOptions = {
  tools: tools('read', 'bash'),
  scopes: [
    { id: 'a', restrict: { deny: ['bash'] } },
    { id: 'b', parent: 'a' },
  ],
}

/** One case for each reason there is. */
export const EXPLAIN_CASES: readonly ExplainCase[] = [
  {
    what: 'the scope’s own',
    options: { scopes: [{ id: 'a', tools: tools('own') }] },
    scope: 'a',
    name: 'own',
    explained: { status: 'callable', scope: 'a', by: 'registered', layer: 'a' },
    text: '"own" is callable: registered in scope "a"',
  },
  {
    what: 'inherited from a farther layer',
    options: {
      scopes: [
        { id: 'a', tools: tools('own') },
        { id: 'b', parent: 'a' },
      ],
    },
    scope: 'b',
    name: 'own',
    explained: { status: 'callable', scope: 'a', by: 'registered', layer: 'a' },
    text: '"own" is callable: registered in scope "a"',
  },
  {
    what: 'in front of others of its name',
    options: {
      tools: tools('x'),
      scopes: [
        { id: 'a', tools: tools('x') },
        { id: 'b', parent: 'a', tools: tools('x') },
      ],
    },
    scope: 'b',
    name: 'x',
    explained: { status: 'callable', scope: 'b', by: 'registered', layer: 'b', shadows: ['a', 'root'] },
    text: '"x" is callable: registered in scope "b"; it shadows that of "a", "root"',
  },
  {
    what: 'in front of one that the scope has masked, which it does not stand in front of',
    options: {
      tools: tools('x'),
      scopes: [{ id: 'a', tools: tools('x'), restrict: { deny: ['x'] } }],
    },
    scope: 'a',
    name: 'x',
    explained: { status: 'callable', scope: 'a', by: 'registered', layer: 'a' },
    text: '"x" is callable: registered in scope "a"',
  },
  {
    what: 'masked by the scope itself',
    options: masked,
    scope: 'a',
    name: 'bash',
    explained: { status: 'masked', scope: 'a', by: 'deny', layer: 'root' },
    text: '"bash" of scope "root" is masked: scope "a" denies "bash"',
  },
  {
    what: 'masked by a scope above',
    options: masked,
    scope: 'b',
    name: 'bash',
    explained: { status: 'masked', scope: 'a', by: 'deny', layer: 'root' },
    text: '"bash" of scope "root" is masked: scope "a" denies "bash"',
  },
  {
    what: 'masked by two scopes, each of which would have to let it through',
    options: {
      tools: tools('read', 'list', 'bash'),
      scopes: [
        { id: 'a', restrict: { allow: ['read', 'list'] } },
        { id: 'b', parent: 'a', restrict: { allow: [] } },
      ],
    },
    scope: 'b',
    name: 'bash',
    explained: { status: 'masked', scope: 'b', by: 'allow', layer: 'root' },
    text: '"bash" of scope "root" is masked: scope "b" allows nothing, and scope "a" allows only "read", "list"',
  },
  {
    what: 'granted',
    options: { ...masked, scopes: [...(masked.scopes ?? []), { id: 'g', parent: 'b', grants: ['bash'] }] },
    scope: 'g',
    name: 'bash',
    explained: { status: 'callable', scope: 'root', by: 'registered', layer: 'root', grantedBy: 'g' },
    text: '"bash" is callable: registered in scope "root"; granted by scope "g" although scope "a" denies "bash"',
  },
  {
    what: 'the scope’s own by the grant of a scope between',
    options: {
      ...masked,
      scopes: [
        ...(masked.scopes ?? []),
        { id: 'g', parent: 'b', grants: ['bash'] },
        { id: 'h', parent: 'g', tools: tools('bash') },
      ],
    },
    scope: 'h',
    name: 'bash',
    explained: {
      status: 'callable',
      scope: 'h',
      by: 'registered',
      layer: 'h',
      grantedBy: 'g',
      shadows: ['root'],
    },
    text: '"bash" is callable: registered in scope "h"; it shadows that of "root"; granted by scope "g" although scope "a" denies "bash"',
  },
  {
    what: 'granted for nothing, which is not told',
    options: { tools: tools('read'), scopes: [{ id: 'a', grants: ['read'] }] },
    scope: 'a',
    name: 'read',
    explained: { status: 'callable', scope: 'root', by: 'registered', layer: 'root' },
    text: '"read" is callable: registered in scope "root"',
  },
  {
    what: 'reserved',
    options: { tools: tools('read'), codeRuntime, scopes: [{ id: 'a' }] },
    scope: 'a',
    name: 'run_code',
    explained: { status: 'unknown', scope: 'root', by: 'mode' },
    text: '"run_code" is reserved for Code Mode, and scope "a" presents natively by scope "root"',
  },
  {
    what: 'Code Mode’s own',
    options: {
      codeRuntime,
      scopes: [
        { id: 'a', mode: 'both' },
        { id: 'b', parent: 'a' },
      ],
    },
    scope: 'b',
    name: 'run_code',
    explained: { status: 'callable', scope: 'a', by: 'mode' },
    text: '"run_code" is callable: it is Code Mode\'s own tool, and scope "b" presents as "both" by scope "a"',
  },
  {
    what: 'collapsed by the mode of a scope above',
    options: {
      tools: tools('read'),
      codeRuntime,
      scopes: [
        { id: 'a', mode: 'code' },
        { id: 'b', parent: 'a' },
      ],
    },
    scope: 'b',
    name: 'read',
    explained: { status: 'collapsed', scope: 'a', by: 'mode', layer: 'root' },
    text: '"read" of scope "root" is reached through "run_code" only: scope "b" presents as "code" by scope "a"',
  },
  {
    what: 'guarded',
    options: {
      tools: tools('bash'),
      scopes: [
        {
          id: 'a',
          stages: [{ name: 'no-shell', guard: ({ name }) => (name === 'bash' ? 'no shell' : undefined) }],
        },
        { id: 'b', parent: 'a', tools: tools('bash') },
      ],
    },
    scope: 'b',
    name: 'bash',
    explained: { status: 'guarded', scope: 'a', by: 'no-shell', layer: 'b', shadows: ['root'] },
    text: '"bash" is refused by guard "no-shell" of scope "a": no shell',
  },
  {
    what: 'guarded by one that answers what no guard may answer',
    options: { tools: tools('bash'), stages: [{ name: 'odd', guard: () => false as never }] },
    scope: 'root',
    name: 'bash',
    explained: { status: 'guarded', scope: 'root', by: 'odd', layer: 'root' },
    text: '"bash" is refused by guard "odd" of scope "root": its answer is neither a reason nor undefined',
  },
  {
    what: 'not guarded without arguments, but perhaps with them',
    options: {
      tools: tools('bash'),
      stages: [
        {
          guard: ({ arguments: args }) => ((args as { cmd: string }).cmd.startsWith('rm') ? 'no' : undefined),
        },
        { guard: () => undefined, preExecute: (_call, next) => next() },
      ],
    },
    scope: 'root',
    name: 'bash',
    explained: { status: 'callable', scope: 'root', by: 'registered', layer: 'root' },
    text: '"bash" is callable: registered in scope "root"; 2 guards and 1 stage may still refuse a call of it',
  },
  {
    what: 'unknown, with the nearest that can be called',
    options: {
      tools: tools('read_file', 'read_fill', 'write'),
      scopes: [{ id: 'a', restrict: { deny: ['read_fill'] } }],
    },
    scope: 'a',
    name: 'readFile',
    explained: { status: 'unknown', suggestions: ['read_file'] },
    text: 'Scope "a" knows no tool "readFile"; near to it: "read_file"',
  },
  {
    what: 'unknown, near to Code Mode’s own',
    options: { codeRuntime, mode: 'both' },
    scope: 'root',
    name: 'runcode',
    explained: { status: 'unknown', suggestions: ['run_code'] },
    text: 'Scope "root" knows no tool "runcode"; near to it: "run_code"',
  },
  {
    what: 'unknown, with nothing near and control characters',
    options: { tools: tools('read') },
    scope: 'root',
    name: 'a\u0000\n',
    explained: { status: 'unknown', suggestions: [] },
    text: 'Scope "root" knows no tool "a\\u0000\\n"',
  },
]
