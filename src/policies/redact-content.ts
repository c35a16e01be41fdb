import type { JsonObject, JsonValue } from '../json/json-value.js'
import type { ContentBlock } from '../tools/content-block.js'
import type { AdditionalContext } from '../tools/tool-result.js'
import { redactJson, redactJsonTexts } from './redact-json.js'
import type { Redaction } from './redaction.js'

// What says what a block is, and what is encoded.
const KEPT: ReadonlySet<string> = new Set(['type', 'mimeType', 'data', 'blob', 'size'])

type Fields = { readonly [key: string]: JsonValue }

/** Hides secrets in the parts of one result and counts the places. What has none is given back as it is. */
export class ResultRedaction {
  readonly #redaction: Redaction
  #count = 0

  constructor(redaction: Redaction) {
    this.#redaction = redaction
  }

  get count(): number {
    return this.#count
  }

  text(text: string): string {
    return this.#texts([text])[0] as string
  }

  json<T extends JsonValue | undefined>(value: T): T {
    if (value === undefined) return value
    const redacted = redactJson(this.#redaction, value)
    this.#count += redacted.count
    return redacted.value as T
  }

  content(content: readonly ContentBlock[]): readonly ContentBlock[] {
    const texts: string[] = []
    // The texts first, as a secret may go on from one into the next.
    for (const block of content) eachText(block as unknown as Fields, text => texts.push(text))
    const redacted = this.#texts(texts)
    let at = 0
    const blocks = content.map(
      block =>
        this.#block(block as unknown as Fields, () => redacted[at++] as string) as unknown as ContentBlock,
    )
    return blocks.every((block, i) => block === content[i]) ? content : blocks
  }

  contexts(contexts: readonly AdditionalContext[]): readonly AdditionalContext[] {
    const made = contexts.map(context => {
      const source = this.text(context.source)
      const content = this.content(context.content)
      const meta = this.json(context.meta as JsonObject | undefined)
      if (source === context.source && content === context.content && meta === context.meta) return context
      return { source, content, ...(meta !== undefined && { meta }) }
    })
    return made.every((context, i) => context === contexts[i]) ? contexts : made
  }

  #texts(texts: readonly string[]): readonly string[] {
    const redacted = redactJsonTexts(this.#redaction, texts)
    this.#count += redacted.count
    return redacted.texts
  }

  #block(block: Fields, nextText: () => string): Fields {
    const made: { [key: string]: JsonValue } = {}
    let isSame = true
    for (const [key, value] of Object.entries(block)) {
      let other = value
      if (key === 'text' && typeof value === 'string') other = nextText()
      else if (key === 'resource') other = this.#block(value as Fields, nextText)
      else if (!KEPT.has(key)) other = this.json(value)
      made[key] = other
      isSame &&= other === value
    }
    return isSame ? block : made
  }
}

function eachText(block: Fields, see: (text: string) => void): void {
  for (const [key, value] of Object.entries(block)) {
    if (key === 'text' && typeof value === 'string') see(value)
    else if (key === 'resource') eachText(value as Fields, see)
  }
}
