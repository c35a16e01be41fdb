// Prints what happens, from the cards that tools make of their own calls and results.
import type { ToolExecutionResult, ToolRegistry, ToolResultView } from 'toolgate'

function summary(view: ToolResultView | undefined, result: ToolExecutionResult): string {
  if (result.isError) return `${result.error.code}: ${result.error.message.split('\n')[0]}`
  if (view?.card === 'read') return `${view.totalLines} lines`
  if (view?.card === 'search' && view.shape === 'paths') return `${view.total} files`
  const [block] = result.content
  const text = block?.type === 'text' ? block.text : ''
  const [first = ''] = text.split('\n')
  const more = text.split('\n').length - 1
  return more > 0 ? `${first} … ${more} more lines` : first
}

/** Follows a registry's events; the returned function stops. */
export function printTimeline(
  registry: ToolRegistry,
  print: (line: string) => void,
  showProgress: boolean,
): () => void {
  const depth = (callId: string): string => (callId.includes(':code:') ? '    ' : '  ')
  const onResult = registry.on.bind(registry)
  const result = ({
    call,
    result: ended,
    scope,
  }: {
    call: { callId: string; name: string; arguments: unknown }
    result: ToolExecutionResult
    scope: string
  }): void => {
    const tool = registry.scope(scope).get(call.name)
    const card = tool?.presentCall?.(call.arguments as never)
    const view = tool?.presentResult?.(call.arguments as never, ended)
    const title = card?.title ?? call.name
    if (showProgress) process.stderr.write('\r\u001b[K')
    print(`${depth(call.callId)}${ended.isError ? '✗' : '✓'} ${title} → ${summary(view, ended)}`)
  }
  const progress = ({
    name,
    completed,
    total,
  }: {
    name: string
    completed?: number
    total?: number
  }): void => {
    if (showProgress) process.stderr.write(`\r\u001b[K  … ${name} ${completed}/${total}`)
  }
  const log = ({ level, text }: { level: string; text: string }): void => print(`    │ [${level}] ${text}`)
  onResult('result', result)
  registry.on('progress', progress).on('log', log)
  return () => {
    registry.off('result', result).off('progress', progress).off('log', log)
  }
}
