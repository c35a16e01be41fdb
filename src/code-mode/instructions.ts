import { readListed } from '../errors/listed-names.js'
import { listedName } from '../errors/quote-name.js'
import { RUN_CODE_NAME } from '../scopes/scope-node.js'

/** All text of Code Mode that models read. Every promise in it is kept by a test. */
export const RUN_CODE_DESCRIPTION: string =
  'Runs one TypeScript program that calls tools and returns only what you need. Only what the program returns or prints ' +
  'comes back, so filter and summarise inside it.'

export const CODE_PARAMETER =
  'The body of an async TypeScript function: top-level await and return work. Call tools as await tools.name({...}).'

export const DESCRIPTION_PARAMETER =
  'What the program does, in 5 to 10 words, active voice; shown to the user.'

/** The section that says there is no other way in. */
export const CODE_ONLY_TEXT: string =
  `\`${RUN_CODE_NAME}\` is the only tool you can call directly; a direct call to any other fails. ` +
  `Reach the others from inside a program, as the declarations below say.`

const HEADING = `# Writing programs for \`${RUN_CODE_NAME}\``

const TYPES_REMOVED = 'Types are for you: they are removed, not checked.'
const TYPES_CHECKED =
  'It is checked against the declarations below before any of it runs; your own types are removed.'

const rules = (isChecked: boolean): string =>
  `Pass \`code\`, the body of an async TypeScript function, and \`description\`, a short summary of it. ${isChecked ? TYPES_CHECKED : TYPES_REMOVED}

- Call a tool with one object: \`await tools.name({ ... })\`; quote odd names: \`await tools["odd-name"]({ ... })\`. It resolves to the value declared below.
- Arguments and results are JSON: no undefined, NaN, functions, Dates or Maps.
- A failed call rejects with \`ToolCallError\` (\`toolName\`, \`code\`, \`message\`); catch it to go on.
- Independent reads may overlap with \`Promise.all\`; calls that change something run alone, in order. Await every call.
- Only what you \`return\` or \`console.log\` comes back. Images that tools return are attached for you afterwards.
- Beside the language there are \`setTimeout\`, \`URL\`, \`TextEncoder\`, \`TextDecoder\`, \`structuredClone\`, \`atob\`, \`btoa\`, \`crypto.randomUUID\` and \`Intl\` for en-US; the time zone is UTC. There is no fetch, file system, import or require: all else comes from tools.`

/** The section with the rules and the declarations. */
export function sdkText(declarations: string, isChecked: boolean): string {
  return `${HEADING}\n\n${rules(isChecked)}\n\n\`\`\`ts\n${declarations}\n\`\`\``
}

const SEARCH_RULE =
  'Only names are listed here. Find tools with `await catalog.search(query)` and read a declaration with `await catalog.describe(name)` before you call one.'

/** The section of a catalogue that is too large to declare in full: the rules, the globals, names with one line each. */
export function sdkSearchText(globals: string, lines: readonly string[], isChecked: boolean): string {
  return `${HEADING}\n\n${rules(isChecked)}\n\n${SEARCH_RULE}\n\n\`\`\`ts\n${globals}\n\`\`\`\n\n${lines.join('\n')}`
}

/** What a program that prints and returns nothing reads as. */
export const NOTHING_RETURNED =
  '(the program returned nothing and printed nothing; return the value you need)'

/** The same of one that returned a text without a character. */
export const EMPTY_RETURNED = '(the program returned an empty text)'

/** The same of one that printed nothing but line ends. */
export const EMPTY_PRINTED = '(the program printed empty lines and returned nothing)'

/** What to do differently where a run came to more than a result may carry. */
export const LESS_OUTPUT = 'Return only what you need: filter, cut or count inside the program.'

export const LOGS_HEADING = 'Printed before the failure:'

const MAX_NAMES = 20

function list(listed: readonly string[]): string {
  const { names, count } = readListed(listed)
  if (names.length === 0) return `${count} ${count === 1 ? 'call' : 'calls'}`
  const shown = names.slice(0, MAX_NAMES)
  return `${shown.map(listedName).join(', ')}${count > shown.length ? ` and ${count - shown.length} more` : ''}`
}

/** What a program left of its calls: those whose results it never waited for, that never ran, that it cut off, and that had not ended when it had. */
export function callNotes(left: {
  readonly notAwaited?: readonly string[]
  readonly notRun?: readonly string[]
  readonly cutOff?: readonly string[]
  readonly stillRunning?: readonly string[]
}): string[] {
  const { notAwaited = [], notRun = [], cutOff = [], stillRunning = [] } = left
  const notes: string[] = []
  if (notAwaited.length > 0)
    notes.push(
      `Note: not awaited: ${list(notAwaited)}. Their results were not used; put await before each call.`,
    )
  if (notRun.length > 0)
    notes.push(
      `Note: did not run: ${list(notRun)}. The program ended first; await what makes these calls, loops and callbacks too.`,
    )
  if (cutOff.length > 0)
    notes.push(
      `Note: cut off: ${list(cutOff)}. The program ended before it had their answers: they may have done all, some or none of their work.`,
    )
  if (stillRunning.length > 0)
    notes.push(`Note: may still be running: ${list(stillRunning)}. They were asked to stop and had not.`)
  return notes
}
