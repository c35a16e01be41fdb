// Asks on the terminal; where there is none, gives a stated answer and says that it did.
import { createInterface } from 'node:readline/promises'
import type { ApprovalRequest, Approver } from 'toolgate'

export interface ApproverOptions {
  readonly interactive: boolean
  /** The answer where nobody can be asked. */
  readonly otherwise: 'allowed-once' | 'rejected'
  readonly print: (line: string) => void
}

function describe({ card, toolName }: ApprovalRequest): string {
  if (card?.card !== 'diff') return card?.title ?? toolName
  const sizes = card.diffs.map(diff => `${diff.newText.split('\n').length} lines`)
  return `${card.title} (${sizes.join(', ')})`
}

export function terminalApprover({ interactive, otherwise, print }: ApproverOptions): Approver {
  return async request => {
    const what = describe(request)
    if (!interactive) {
      print(`  ? ${what}: no terminal to ask on, so the stated answer is "${otherwise}"`)
      return otherwise
    }
    const terminal = createInterface({ input: process.stdin, output: process.stdout })
    try {
      const answer = await terminal.question(`  ? ${what} — allow once? [y/N] `, { signal: request.signal })
      return /^y(es)?$/i.test(answer.trim()) ? 'allowed-once' : 'rejected'
    } finally {
      terminal.close()
    }
  }
}
