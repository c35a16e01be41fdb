export type { CodeRuntimeFactory, CodeRuntimeLimits, ConformanceCase } from './testing/code-runtime/bench.js'
export { codeRuntimeConformance } from './testing/code-runtime/code-runtime-conformance.js'
