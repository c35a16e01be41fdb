// An agent loop over Google's SDK, with streaming. It returns the model's last words.
import type { Content, GoogleGenAI } from '@google/genai'
import type { ToolScope } from 'toolgate'
import { collectGoogleStream, googleContent } from 'toolgate/google'

export interface LoopOptions {
  readonly client: GoogleGenAI
  readonly scope: ToolScope
  readonly question: string
  readonly model: string
  readonly maxTurns?: number
}

export async function generateLoop(options: LoopOptions): Promise<string> {
  const { client, scope, question, model, maxTurns = 20 } = options
  const wire = googleContent(scope)
  const systemInstruction = scope.present().sections.map(section => section.text)
  const contents: Content[] = [{ role: 'user', parts: [{ text: question }] }]
  for (let i = 0; i < maxTurns; i++) {
    const config = { tools: wire.tools(), ...(systemInstruction.length > 0 && { systemInstruction }) }
    const response = await collectGoogleStream(
      await client.models.generateContentStream({ model, contents, config }),
    )
    const turn = wire.turn(response)
    contents.push(...turn.reply)
    const answers = turn.results(await scope.executeAll(turn.calls))
    if (answers.length === 0)
      return (response.candidates?.[0]?.content?.parts ?? [])
        .map(part => (part.thought ? '' : part.text))
        .join('')
    contents.push(...answers)
  }
  throw new Error(`no answer after ${maxTurns} turns`)
}
