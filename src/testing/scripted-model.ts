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
   * concludes the turn, or the script is over. Throws where a batch does not give one result for each call, in order, and
   * when no turn is left.
   */
  play(surface: ModelSurface, options?: BatchOptions): Promise<readonly PlayedTurn[]>
}

const TURN_KEYS = ['calls', 'text']

/** A turn, or what is wrong with it: a slip in a script must not pass for a model that has nothing to say. */
function readTurn(turn: unknown, which: string): ScriptedTurn {
  const refuse = (what: string): never => {
    throw new TypeError(`${which} of the script ${what}`)
  }
  if (typeof turn !== 'object' || turn === null || Array.isArray(turn))
    return refuse('is no turn: it must be an object with calls, text or both')
  if (typeof (turn as { readonly then?: unknown }).then === 'function')
    return refuse('is a promise: a turn is made at once, of the results of the turn before')
  const unknown = Object.keys(turn).find(key => !TURN_KEYS.includes(key))
  if (unknown !== undefined) return refuse(`has "${unknown}", and a turn has calls and text`)
  const { calls, text } = turn as { readonly calls?: unknown; readonly text?: unknown }
  if (calls !== undefined && !Array.isArray(calls)) return refuse('has calls that are no list')
  if (text !== undefined && typeof text !== 'string') return refuse('has text that is none')
  return turn
}

/**
 * A model for tests of loops, policies and scopes: no network, no chance, the same calls each time.
 * @throws TypeError where the script is no list; where a turn is none, once it is its turn
 */
export function scriptedModel(script: readonly TurnScript[]): ScriptedModel {
  if (!Array.isArray(script)) throw new TypeError('the script must be a list of turns')
  const turns: readonly TurnScript[] = [...script]
  let played = 0
  const requireLeft = (): void => {
    if (played >= turns.length) throw new Error(`the script has ${turns.length} turns, and they are over`)
  }

  const next = (results: readonly ToolExecutionResult[] = []): ModelTurn => {
    requireLeft()
    const turn = turns[played]
    played += 1
    const { calls = [], text = '' } = readTurn(
      typeof turn === 'function' ? turn(results) : turn,
      `turn ${played}`,
    )
    return {
      text,
      calls: calls.map((call, i) => ({ ...call, callId: call.callId ?? `call_${played}_${i + 1}` })),
    }
  }

  const play: ScriptedModel['play'] = async (surface, options) => {
    requireLeft()
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
