import ts from 'typescript'
import { ToolgateError } from '../../errors/toolgate-error.js'
import { codeFrame } from '../../sandbox/code-frame.js'
import type { CodeChecker, CodeCheckRequest } from '../code-checker.js'
import { goesOnAfterFunction } from './goes-on-after-function.js'
import { type Problem, problemsThatMatter } from './matters.js'
import { type CheckedProgram, ProgramService } from './program-service.js'
import { type ProgramSource, programSources } from './program-source.js'

/** Options of `typescriptChecker`. */
export interface TypescriptCheckerOptions {
  /** How many problems are told; the rest are counted. Default 5. */
  readonly maxProblems?: number
}

const OLDEST = [5, 9] as const

function requireVersion(): void {
  const version = String(ts.version)
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNewEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
  // Compilers that are programs of their own share the name and not the interface.
  if (isNewEnough && typeof ts.createLanguageService === 'function') return
  throw new ToolgateError(
    'INVALID_OPTIONS',
    `typescriptChecker needs TypeScript ${OLDEST.join('.')} or newer, written in JavaScript; installed is ${version}`,
  )
}

function sentence({ diagnostic, lacksAwait }: Problem): string {
  const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ').replace(/\s+/g, ' ')
  return lacksAwait ? `${text} Put await in front of the call.` : text
}

function describe(submitted: string, checked: CheckedProgram, problem: Problem, lead: number): string {
  const { line, character } = checked.file.getLineAndCharacterOfPosition(problem.start)
  const position = { line: line + 1, column: character + 1 - (line === 0 ? lead : 0) }
  const where = `${position.line}:${position.column}`
  return `${sentence(problem)} (${where})\n\n${codeFrame(submitted, position)}`
}

/**
 * Checks programs by TypeScript before they run: unknown members, arguments that a tool refuses, a forgotten `await`.
 * Keeps the compiler warm; the first program pays for its start.
 * @throws ToolgateError `INVALID_OPTIONS` where TypeScript is too old or has no library files
 */
export function typescriptChecker({ maxProblems = 5 }: TypescriptCheckerOptions = {}): CodeChecker {
  requireVersion()
  if (!Number.isSafeInteger(maxProblems) || maxProblems < 1)
    throw new ToolgateError('INVALID_OPTIONS', 'maxProblems must be a positive whole number')
  let service = new ProgramService()
  const problemsOf = ({
    program: submitted,
    declarations,
    mendedTools,
  }: CodeCheckRequest): string | undefined => {
    let source: ProgramSource | undefined
    let checked: CheckedProgram | undefined
    for (source of programSources(submitted)) {
      checked = service.check(source.text, declarations)
      if (checked !== undefined && !(source.isExpression && goesOnAfterFunction(checked.file))) break
      checked = undefined
    }
    // What does not parse the runtime can say better.
    if (source === undefined || checked === undefined) return undefined
    const { lead } = source
    const problems = problemsThatMatter(checked, new Set(mendedTools))
    if (problems.length === 0) return undefined
    const told = problems.slice(0, maxProblems).map(p => describe(submitted, checked, p, lead))
    const more = problems.length - told.length
    return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join('\n\n')
  }
  return {
    check(request) {
      try {
        return problemsOf(request)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        // The compiler recurses, and the host's stack ends: what is too deep for it may run all the same. What is left of that
        // compiler may be in the middle of something.
        service = new ProgramService()
        return undefined
      }
    },
  }
}
