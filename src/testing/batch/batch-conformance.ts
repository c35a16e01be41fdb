import type { ConformanceCase } from '../conformance-case.js'
import { conformanceCase, requireFunction, within } from '../conformance-case.js'
import type { BatchRunner, BatchRunnerFactory } from './batch-world.js'
import { OVERLAP_CASES } from './overlap-cases.js'
import { RESULT_CASES } from './result-cases.js'

/** For a runner that never answers. All cases but that of the large batch take milliseconds. */
const NEVER_MS = 20_000

/** The runner, checked, and a sentence in place of a batch that never ends. */
const guarded =
  (createRunner: BatchRunnerFactory): BatchRunnerFactory =>
  async tools => {
    const runner: BatchRunner | undefined = await createRunner(tools)
    requireFunction(runner?.executeAll, 'a runner must have executeAll, a function')
    const executeEach = runner.executeEach?.bind(runner)
    return {
      executeAll: (inputs, options) =>
        within(NEVER_MS, runner.executeAll(inputs, options), 'executeAll had not ended'),
      ...(executeEach !== undefined && { executeEach }),
    }
  }

/**
 * What every batch must keep, as cases for any test framework: N calls in, N results out, in order, each call once, and alone
 * where it must be. For a registry with stages of your own, a scope, or what you put in front of them.
 * @throws TypeError without a function that makes a runner
 */
export function batchConformance(createRunner: BatchRunnerFactory): readonly ConformanceCase[] {
  requireFunction(createRunner, 'batchConformance takes a function that makes a runner of tools')
  const create = guarded(createRunner)
  return [...RESULT_CASES, ...OVERLAP_CASES].map(([name, check]) =>
    conformanceCase(name, () => within(2 * NEVER_MS, check(create), 'it had not ended')),
  )
}
