export type { CodeChecker, CodeCheckRequest } from './code-mode/code-checker.js'
export { type TypescriptCheckerOptions, typescriptChecker } from './code-mode/typecheck/typescript-checker.js'
