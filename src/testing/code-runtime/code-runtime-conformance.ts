import type { ConformanceCase } from '../conformance-case.js'
import { ANSWER_CASES } from './answer-cases.js'
import { type BenchCase, type CodeRuntimeFactory, onBenches } from './bench.js'
import { CALL_CASES } from './call-cases.js'
import { ENDING_CASES } from './ending-cases.js'
import { LIMIT_CASES } from './limit-cases.js'
import { MISUSE_CASES } from './misuse-cases.js'
import { PROGRAM_CASES } from './program-cases.js'
import { VALUE_CASES } from './value-cases.js'

const ALL: readonly BenchCase[] = [
  ...VALUE_CASES,
  ...CALL_CASES,
  ...ANSWER_CASES,
  ...LIMIT_CASES,
  ...ENDING_CASES,
  ...PROGRAM_CASES,
  ...MISUSE_CASES,
]

/**
 * What every `CodeRuntime` must do, as cases for any test framework: `for (const { name, run } of cases) test(name, run)`.
 * Each case makes a runtime with the limits it is about, runs programs in it, and disposes it. Takes some seconds.
 * @throws TypeError without a function that makes a runtime
 */
export function codeRuntimeConformance(createRuntime: CodeRuntimeFactory): readonly ConformanceCase[] {
  return onBenches(ALL, createRuntime)
}
