// An agent loop: ask the model, run what it calls, hand back the results, until it answers in words.
import type { ContentBlock, ToolExecutionResult, ToolRegistry, ToolSchema } from 'toolgate'

export interface ModelCall {
  readonly id: string
  readonly name: string
  /** The model's own text, whatever it is: Toolgate parses it. */
  readonly arguments: string
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string }

export interface ModelRequest {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  readonly signal: AbortSignal
}

/** Anything that answers a conversation: a recorded script, or an endpoint. */
export type Model = (
  request: ModelRequest,
) => Promise<{ readonly text: string; readonly calls: readonly ModelCall[] }>

export interface AgentRun {
  readonly outcome: 'answered' | 'aborted' | 'too-many-turns'
  readonly answer: string
  readonly turns: number
  readonly results: readonly ToolExecutionResult[]
  /** UTF-8 bytes that entered the model's context: prompt, tool declarations, messages, results. */
  readonly contextBytes: number
}

const bytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

const textOf = (content: readonly ContentBlock[]): string =>
  content.map(block => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')

export async function runAgent(options: {
  readonly registry: ToolRegistry
  readonly model: Model
  readonly scope: string
  readonly question: string
  readonly signal: AbortSignal
  readonly maxTurns?: number
}): Promise<AgentRun> {
  const { registry, model, scope: scopeId, question, signal, maxTurns = 20 } = options
  const scope = registry.scope(scopeId)
  const { tools, sections } = scope.present()
  const system = ['You answer questions about a source tree with tools.', ...sections.map(s => s.text)].join(
    '\n\n',
  )
  const messages: Message[] = [
    { role: 'system', text: system },
    { role: 'user', text: question },
  ]
  const results: ToolExecutionResult[] = []
  let contextBytes = bytes(tools) + bytes(messages)
  const end = (outcome: AgentRun['outcome'], answer: string, turns: number): AgentRun => ({
    outcome,
    answer,
    turns,
    results,
    contextBytes,
  })

  for (let turn = 1; turn <= maxTurns; turn++) {
    if (signal.aborted) return end('aborted', '', turn - 1)
    const reply = await model({ messages, tools, signal }).catch(error => {
      if (signal.aborted) return undefined
      throw error
    })
    if (reply === undefined) return end('aborted', '', turn - 1)
    messages.push({ role: 'assistant', text: reply.text, calls: reply.calls })
    if (reply.calls.length === 0) return end('answered', reply.text, turn)

    // Calls that may overlap do; each gets exactly one result, in the model's order.
    const inputs = reply.calls.map(call => ({ callId: call.id, name: call.name, arguments: call.arguments }))
    for (const result of await scope.executeAll(inputs, { signal })) {
      results.push(result)
      const extra = (result.additionalContexts ?? []).map(context => textOf(context.content))
      const message: Message = {
        role: 'tool',
        callId: result.callId,
        text: [textOf(result.content), ...extra].join('\n'),
      }
      contextBytes += bytes(message)
      messages.push(message)
    }
  }
  return end('too-many-turns', '', maxTurns)
}
