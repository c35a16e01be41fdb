// A RECORDED model: a script that stands in for a language model, so that the demo needs no key and no network. What it
// "decides" was written down beforehand; only the file names and numbers in it come from the tools' real results.
import type { Message, Model, ModelCall } from '../agent-loop.js'

export const QUESTION =
  'Which files under src/ mention AbortSignal, and which three of those have the most lines? Note the answer in NOTES.md.'

type Step = (results: readonly string[]) => {
  readonly text: string
  readonly calls: readonly Omit<ModelCall, 'id'>[]
}

const call = (name: string, args: unknown): Omit<ModelCall, 'id'> => ({
  name,
  arguments: JSON.stringify(args),
})
const pathsIn = (searchResult: string): string[] =>
  searchResult.split('\n').map(line => line.split(': ')[0] ?? '')

function longest(paths: readonly string[], texts: readonly string[]): string[] {
  return paths
    .map((path, i) => ({ path, lines: (texts[i] ?? '').split('\n').length }))
    .sort((a, b) => b.lines - a.lines)
    .slice(0, 3)
    .map(({ path, lines }) => `${path} (${lines} lines)`)
}

/** The script for a model that is shown every tool. */
export const NATIVE_SCRIPT: readonly Step[] = [
  () => ({
    text: 'I will search first.',
    calls: [call('search_files', { text: 'AbortSignal', dir: 'src' })],
  }),
  ([found = '']) => ({
    text: 'Now I read all of them at once.',
    calls: pathsIn(found).map(path => call('read_file', { path })),
  }),
  ([found = '', ...texts]) => ({
    text: 'I write the note, and tidy the lockfile while I am at it.',
    calls: [
      call('edit_file', {
        path: 'NOTES.md',
        text: `# AbortSignal\n\n${longest(pathsIn(found), texts).join('\n')}\n`,
      }),
      call('edit_file', { path: 'package-lock.json', text: '{}' }),
    ],
  }),
  ([found = '', ...texts]) => ({
    text: `${pathsIn(found).length} files mention AbortSignal. The longest are ${longest(pathsIn(found), texts).join(', ')}.`,
    calls: [],
  }),
]

const PROGRAM = `
const found = await tools.search_files({ text: 'AbortSignal', dir: 'src' })
const files = await Promise.all(found.map(async ({ path }) => {
  const text = await tools.read_file({ path })
  return { path, lines: text.split('\\n').length }
}))
const longest = files.sort((a, b) => b.lines - a.lines).slice(0, 3).map(f => \`\${f.path} (\${f.lines} lines)\`)
await tools.edit_file({ path: 'NOTES.md', text: '# AbortSignal\\n\\n' + longest.join('\\n') + '\\n' })
try {
  await tools.edit_file({ path: 'package-lock.json', text: '{}' })
} catch (error) {
  console.warn(\`not done: \${(error as ToolCallError).code}\`)
}
return { files: files.length, longest }
`

/** The script for a model that writes one program. */
export const CODE_SCRIPT: readonly Step[] = [
  () => ({
    text: 'One program does it.',
    calls: [
      call('run_code', { code: PROGRAM, description: 'Find the longest files that mention AbortSignal' }),
    ],
  }),
  ([output = '']) => ({ text: `The program says:\n${output}`, calls: [] }),
]

/** Plays a script: one step for each turn, given the texts of all tool results so far. */
export function recordedModel(script: readonly Step[]): Model {
  let turn = 0
  return async ({ messages }) => {
    const step = script[turn]
    if (step === undefined) return { text: 'The recording ends here.', calls: [] }
    turn++
    const results = messages
      .filter((m): m is Message & { role: 'tool' } => m.role === 'tool')
      .map(m => m.text)
    const { text, calls } = step(results)
    return { text, calls: calls.map((c, i) => ({ ...c, id: `turn${turn}-${i + 1}` })) }
  }
}
