import {
  type AdditionalContext,
  createToolRegistry,
  type RepeatReminder,
  type RepeatReminderOptions,
  repeatReminder,
  type Stages,
  type ToolExecutionResult,
} from 'toolgate'
import { type CountedTool, countedTool } from '../support/tools.js'

const words = (context: AdditionalContext): string =>
  context.content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
/** What a result reminds of. */
export const reminders = (result: ToolExecutionResult): string[] =>
  (result.additionalContexts ?? []).filter(({ source }) => source === 'repeat-reminder').map(words)

type Place = { scope?: string; caller?: unknown }

interface ReminderSetup {
  readonly reminder: RepeatReminder
  readonly read: CountedTool
  readonly write: CountedTool
  call(name: string, args?: unknown, place?: Place): Promise<ToolExecutionResult>
  /** At which of so many equal calls the model was reminded. */
  fires(times: number, name: string, args?: unknown, place?: Place): Promise<number[]>
}

export function setupReminder(
  options?: RepeatReminderOptions,
  stages: readonly Stages[] = [],
): ReminderSetup {
  const reminder = repeatReminder(options)
  const read = countedTool('read')
  const write = countedTool('write')
  const registry = createToolRegistry({
    tools: [read, write],
    stages: [reminder, ...stages],
    scopes: [{ id: 'a' }, { id: 'b' }],
  })
  let calls = 0
  const call: ReminderSetup['call'] = (name, args = {}, place = {}) =>
    registry.execute({ callId: `${++calls}`, name, arguments: args, ...place })
  return {
    reminder,
    read,
    write,
    call,
    async fires(times, ...input) {
      const at: number[] = []
      for (let i = 1; i <= times; i++) if (reminders(await call(...input)).length > 0) at.push(i)
      return at
    },
  }
}
