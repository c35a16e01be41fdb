// What the adapter writes is what Anthropic's SDK takes, and what the SDK gives is what the adapter reads.
import type Anthropic from '@anthropic-ai/sdk'
import { createToolRegistry } from 'toolgate'
import { anthropicMessages } from 'toolgate/anthropic'

declare const message: Anthropic.Message

const registry = createToolRegistry()
const wire = anthropicMessages(registry)
const turn = wire.turn(message)
const tools: Anthropic.Tool[] = wire.tools()
const messages: Anthropic.MessageParam[] = [...turn.reply, ...turn.results([])]

// @ts-expect-error: there is no such option
anthropicMessages(registry, { media: 'beside' })
// @ts-expect-error: that is no message
wire.turn({ choices: [] })

export const used: unknown[] = [tools, messages]
