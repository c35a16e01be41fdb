import {
  createToolRegistry,
  type RememberApprovalsOptions,
  type RememberingApprover,
  rememberApprovals,
  type SessionAnswer,
  type SessionApprover,
  type Stages,
  type ToolExecutionInput,
  type ToolExecutionResult,
  type ToolRegistry,
} from 'toolgate'
import { type CountedTool, countedTool, type Gate, gate } from '../support/tools.js'

export const askAlways: Stages = {
  name: 'ask-always',
  preExecute: () => ({ kind: 'ask', reason: 'policy' }),
}

/** One question that a human sees, and the gate to answer it by. */
export interface Question extends Gate<SessionAnswer> {
  readonly callId: string
}

/** A human who sees questions one by one; `next()` waits for the next question. */
export function human(): {
  readonly approver: SessionApprover
  readonly asked: string[]
  next(): Promise<Question>
} {
  const asked: string[] = []
  const unread: Question[] = []
  const waiting: ((question: Question) => void)[] = []
  return {
    asked,
    approver: ({ callId }) => {
      asked.push(callId)
      const question = { callId, ...gate<SessionAnswer>() }
      const reader = waiting.shift()
      if (reader) reader(question)
      else unread.push(question)
      return question.promise
    },
    next: () => {
      const question = unread.shift()
      return question ? Promise.resolve(question) : new Promise(resolve => waiting.push(resolve))
    },
  }
}

/** Answers each question with the next answer of a list, and counts how often it was asked. */
export function scripted(answers: readonly unknown[]): {
  readonly approver: SessionApprover
  asked(): number
} {
  let asked = 0
  return {
    approver: () => {
      const answer = answers[asked++]
      if (answer instanceof Error) throw answer
      return answer as SessionAnswer
    },
    asked: () => asked,
  }
}

export const codeOf = (result: ToolExecutionResult): string => (result.isError ? result.error.code : 'ok')

export interface Asking {
  readonly approve: RememberingApprover
  readonly registry: ToolRegistry
  readonly write: CountedTool
  readonly send: CountedTool
  /** Of the decisions, in order. */
  readonly reasons: (string | undefined)[]
  call(input?: Partial<ToolExecutionInput>): Promise<ToolExecutionResult>
}

/** A registry in which each call to `write` or `send` is asked about. */
export function asking(approver: SessionApprover, options?: RememberApprovalsOptions): Asking {
  const approve = rememberApprovals(approver, options)
  const write = countedTool('write')
  const send = countedTool('send')
  const registry = createToolRegistry({
    tools: [write, send],
    stages: [askAlways],
    approve,
    scopes: [{ id: 'a' }, { id: 'b' }],
  })
  const reasons: (string | undefined)[] = []
  registry.on('approval:decided', ({ reason }) => reasons.push(reason))
  let calls = 0
  const call = (input: Partial<ToolExecutionInput> = {}): Promise<ToolExecutionResult> =>
    registry.execute({ callId: `call-${++calls}`, name: 'write', ...input })
  return { approve, registry, write, send, reasons, call }
}
