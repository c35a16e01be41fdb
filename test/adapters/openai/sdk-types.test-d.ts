// What the adapter writes is what OpenAI's SDK takes, and what the SDK gives is what the adapter reads.
import type OpenAI from 'openai'
import type { Stream } from 'openai/streaming'
import { createToolRegistry } from 'toolgate'
import { collectChatStream, openAiChat, openAiResponses } from 'toolgate/openai'

declare const completion: OpenAI.ChatCompletion
declare const response: OpenAI.Responses.Response
declare const stream: Stream<OpenAI.ChatCompletionChunk>

const registry = createToolRegistry()
const chat = openAiChat(registry)
const responses = openAiResponses(registry)

const chatTools: OpenAI.ChatCompletionTool[] = chat.tools()
const chatTurn = chat.turn(completion)
const chatMessages: OpenAI.ChatCompletionMessageParam[] = [...chatTurn.reply, ...chatTurn.results([])]

const whole = await collectChatStream(stream)
const streamed: OpenAI.ChatCompletionMessageParam[] = chat.turn(whole).reply
const tokens: number | undefined = whole.usage?.total_tokens

const responsesTools: OpenAI.Responses.Tool[] = responses.tools()
const responsesTurn = responses.turn(response)
const items: OpenAI.Responses.ResponseInput = [...responsesTurn.reply, ...responsesTurn.results([])]

// An adapter of one API does not read what the other one answers.
// @ts-expect-error: a response has no choices
chat.turn(response)
// @ts-expect-error: a completion has no output
responses.turn(completion)
// @ts-expect-error: there is no such option
openAiChat(registry, { strikt: true })

export const used: unknown[] = [chatTools, chatMessages, streamed, tokens, responsesTools, items]
