import ts from 'typescript'
import { MissingMembers } from './missing-member.js'
import { misusedPromises } from './misused-promises.js'
import { isPromise, nodeSpanning } from './nodes.js'
import { createOwnWord, type OwnWord } from './own-word.js'
import type { CheckedProgram } from './program-service.js'
import { createPromises } from './promises.js'
import { isRefusedArgument } from './tool-arguments.js'
import { collectWrites, type Writes } from './writes.js'

/** A member that is not there: `property does not exist`, also with a suggestion, and an unknown key in brackets. */
const MEMBER = new Set([2339, 2551, 7053])
/** An argument that does not fit: types, missing and unknown properties, too few and too many arguments. */
const ARGUMENT = new Set([2322, 2345, 2353, 2554, 2555, 2559, 2560, 2561, 2739, 2740, 2741, 2769])
/** A promise where its value is needed: arithmetic, comparison, iteration. */
const PROMISE = new Set([2362, 2363, 2365, 2367, 2461, 2488, 2504, 2548, 2549])

/** `this condition will always return true`. */
const ALWAYS_DEFINED = 2801

/** A problem that keeps a program from working. */
export interface Problem {
  readonly start: number
  readonly diagnostic: ts.Diagnostic
  /** True where a promise stands in the place of its value. */
  readonly lacksAwait: boolean
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * The problems that make a program fail or lie for certain, in the order of the text: a member that is not there, a tool
 * called with arguments that it refuses, a promise used for what it promises. The program's own annotations and objects
 * are its own business.
 */
export function problemsThatMatter(program: CheckedProgram, mendedTools: ReadonlySet<string>): Problem[] {
  const { file, diagnostics } = program
  const writes = once<Writes>(() => collectWrites(program))
  const ownWord = once<OwnWord>(() => createOwnWord(program, writes()))
  const promises = createPromises(program, writes, ownWord)
  const members = new MissingMembers(program, writes, ownWord)
  for (const { code, start } of diagnostics)
    if (MEMBER.has(code) && start !== undefined) members.note(nodeSpanning(file, start, 1))

  // A promise in arithmetic, a comparison, a loop fails or lies whatever else the program does.
  const isPromiseUsed = (part: ts.Node): boolean => {
    // A list pattern is told of where what it takes apart is meant.
    const used = ts.isArrayBindingPattern(part) ? part.parent.initializer : part
    if (used === undefined || !ts.isExpression(used)) return false
    if (!isPromise(program.checker.getTypeAtLocation(used), file)) return false
    return writes().extended.promise ? promises.isMade(used) : !ownWord().ofExpression(used)
  }

  const judge = (diagnostic: ts.Diagnostic): Problem | undefined => {
    const { code, start, length } = diagnostic
    if (start === undefined || length === undefined) return undefined
    const problem = (lacksAwait: boolean): Problem => ({ start, diagnostic, lacksAwait })
    if (code === ALWAYS_DEFINED) {
      const node = nodeSpanning(file, start, length)
      return ts.isExpression(node) && promises.isMistaken(node) ? problem(true) : undefined
    }
    if (PROMISE.has(code)) {
      const node = nodeSpanning(file, start, length)
      const parts = ts.isBinaryExpression(node) ? [node.left, node.right] : [node]
      return parts.some(isPromiseUsed) ? problem(true) : undefined
    }
    if (MEMBER.has(code)) {
      const node = nodeSpanning(file, start, 1)
      return members.isMissing(node) ? problem(members.isInPromise(node)) : undefined
    }
    if (!ARGUMENT.has(code)) return undefined
    const terms = { writes: writes(), ownWord: ownWord(), mendedTools }
    return isRefusedArgument(program, terms, diagnostic) ? problem(false) : undefined
  }
  const misused = misusedPromises(program, promises, writes)
  return [
    ...diagnostics.flatMap(diagnostic => judge(diagnostic) ?? []),
    ...misused.map(diagnostic => ({ start: diagnostic.start, diagnostic, lacksAwait: true })),
  ].sort((a, b) => a.start - b.start)
}
