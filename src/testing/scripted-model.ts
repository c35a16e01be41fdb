import type { BatchOptions } from '../schedule/execute-batch.js'
import type { ToolExecutionInput } from '../tools/tool-call.js'
import type { ToolExecutionResult } from '../tools/tool-result.js'
import { expectBatch } from './expect-batch.js'

/** A call as a script writes it. Without a `callId` it gets `call_<turn>_<number>`, both from 1 on. */
export interface ScriptedCall {
  readonly name: string
  /** A value, or JSON text as a model writes it. */
  readonly arguments?: unknown
  readonly callId?: string
}

/** What the model says in one turn: calls, which belong to one batch, and text. A turn without calls is the last one. */
export interface ScriptedTurn {
  readonly calls?: readonly ScriptedCall[]
  readonly text?: string
}

/** A turn, or a function that makes it of the results of the turn before. */
export type TurnScript = ScriptedTurn | ((results: readonly ToolExecutionResult[]) => ScriptedTurn)

/** A turn as the loop gets it. */
export interface ModelTurn {
  readonly calls: readonly ToolExecutionInput[]
  readonly text: string
}

/** One turn that was played, and what it came to. */
export interface PlayedTurn extends ModelTurn {
  /** The names of the tools that were presented when the turn began. */
  readonly presented: readonly string[]
  readonly results: readonly ToolExecutionResult[]
}

/** What a registry or a scope must do to be played against. Both do. */
export interface ModelSurface {
  present(): { readonly tools: readonly { readonly name: string }[] }
  executeAll(
    inputs: readonly ToolExecutionInput[],
    options?: BatchOptions,
  ): Promise<readonly ToolExecutionResult[]>
}

/** A model that says what a script says. */
export interface ScriptedModel {
  /** The next turn, for a loop of your own; gets the results of the turn before. Throws when the script is over. */
  next(results?: readonly ToolExecutionResult[]): ModelTurn
  /** How many turns the script still has. */
  readonly left: number
  /**
   * Plays the rest of the script as a loop does: each turn's calls as one batch, until a turn has no calls, a result
   * concludes the turn, or the script is over. Throws where a batch does not give one result for each call, in order.
   */
  play(surface: ModelSurface, options?: BatchOptions): Promise<readonly PlayedTurn[]>
}

/** A model for tests of loops, policies and scopes: no network, no chance, the same calls each time. */
export function scriptedModel(script: readonly TurnScript[]): ScriptedModel {
  const turns = [...script]
  let played = 0

  const next = (results: readonly ToolExecutionResult[] = []): ModelTurn => {
    const turn = turns[played]
    if (turn === undefined) throw new Error(`the script has ${turns.length} turns, and they are over`)
    played += 1
    const { calls = [], text = '' } = typeof turn === 'function' ? turn(results) : turn
    return {
      text,
      calls: calls.map((call, i) => ({ ...call, callId: call.callId ?? `call_${played}_${i + 1}` })),
    }
  }

  const play: ScriptedModel['play'] = async (surface, options) => {
    const transcript: PlayedTurn[] = []
    let results: readonly ToolExecutionResult[] = []
    while (played < turns.length) {
      const presented = surface.present().tools.map(tool => tool.name)
      const turn = next(results)
      results = turn.calls.length === 0 ? [] : await surface.executeAll(turn.calls, options)
      expectBatch(turn.calls, results)
      transcript.push({ ...turn, presented, results })
      const isConcluded = results.some(result => !result.isError && result.concludesTurn === true)
      if (turn.calls.length === 0 || isConcluded) break
    }
    return transcript
  }

  return {
    next,
    play,
    get left() {
      return turns.length - played
    },
  }
}
