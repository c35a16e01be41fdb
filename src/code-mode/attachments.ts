import { contain } from '../events/event-hub.js'
import { jsonBytes } from '../json/json-bytes.js'
import type { JsonValue } from '../json/json-value.js'
import type { ContentBlock } from '../tools/content-block.js'
import type { ToolContext } from '../tools/tool-call.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'

/** What the calls of a program give beside their values. */
export interface Attachments {
  /** Takes what the result of a call holds beside its value over to the outer result. */
  add(name: string, result: ToolExecutionResult): void
  /** Says what was left out. */
  end(): void
}

/** Of all that is attached to one run, contexts that tools add included. */
const MAX_BYTES = 16 * 1024 * 1024
/** Of the words beside images: what a program wants to say it prints or returns, and that has a limit of its own. */
const MAX_TEXT_BYTES = 64 * 1024

const isText = (block: ContentBlock): boolean => block.type === 'text'
const bytesOf = (blocks: readonly ContentBlock[]): number => jsonBytes(blocks as unknown as JsonValue)

/** Attaches images and contexts of a program's calls to the call of `run_code`. */
export function createAttachments(context: ToolContext): Attachments {
  let bytes = 0
  let textBytes = 0
  const leftOut = { blocks: 0, texts: 0, contexts: 0 }

  function fitting(content: readonly ContentBlock[]): readonly ContentBlock[] {
    const texts = content.filter(isText)
    const others = content.filter(block => !isText(block))
    const otherBytes = bytesOf(others)
    if (bytes + otherBytes > MAX_BYTES) {
      leftOut.blocks += others.length
      return []
    }
    bytes += otherBytes
    const ofTexts = bytesOf(texts)
    if (textBytes + ofTexts > MAX_TEXT_BYTES) {
      leftOut.texts += texts.length
      return others
    }
    textBytes += ofTexts
    return content
  }

  return {
    add(name, result) {
      // A result that comes after the outer call has ended has nowhere to go.
      contain(
        () => {
          for (const added of result.additionalContexts ?? []) {
            const size = bytesOf(added.content)
            if (bytes + size > MAX_BYTES) leftOut.contexts += 1
            else {
              bytes += size
              context.deferContext(added)
            }
          }
          if (result.content.some(block => !isText(block))) {
            const content = fitting(result.content)
            if (content.length > 0) context.deferContext({ source: name, content: [...content] })
          }
          if (!result.isError && result.concludesTurn) context.concludeTurn()
        },
        () => {},
      )
    },
    end() {
      const { blocks, texts, contexts } = leftOut
      if (blocks + texts + contexts === 0) return
      const said = [
        ...(blocks > 0 ? [`${blocks} images or other attachments`] : []),
        ...(texts > 0 ? [`${texts} texts beside attachments`] : []),
        ...(contexts > 0 ? [`${contexts} contexts of tools`] : []),
      ].join(' and ')
      const text = `Left out, since more does not fit: ${said}. Call for fewer in one program.`
      contain(
        () => context.deferContext({ source: context.name, content: [{ type: 'text', text }] }),
        () => {},
      )
    },
  }
}
