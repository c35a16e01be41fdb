import { describe, expect, it } from 'vitest'
import { settle } from '../support/tools.js'
import { asking, codeOf, human } from './support.js'

describe('equal asks at once', () => {
  it('wait for the first answer, and are served by one for the session', async () => {
    const { approver, next, asked } = human()
    const { call, write } = asking(approver)
    const calls = [call(), call(), call()]
    const first = await next()
    await settle()
    expect(asked).toEqual(['call-1'])
    first.open('allowed-for-session')
    expect((await Promise.all(calls)).map(codeOf)).toEqual(['ok', 'ok', 'ok'])
    expect([write.runs(), asked.length]).toEqual([3, 1])
  })

  it('each get a question of their own, one after the other, when answers are for one call', async () => {
    const { approver, next, asked } = human()
    const { call, write } = asking(approver)
    const calls = [call(), call(), call()]
    for (const answer of ['allowed-once', 'rejected', 'allowed-once'] as const) (await next()).open(answer)
    expect((await Promise.all(calls)).map(codeOf)).toEqual(['ok', 'APPROVAL_REJECTED', 'ok'])
    expect(asked).toEqual(['call-1', 'call-2', 'call-3'])
    expect(write.runs()).toBe(2)
  })

  it('go on when the first approver throws', async () => {
    const { approver, next } = human()
    const { call, write } = asking(approver)
    const calls = [call(), call()]
    ;(await next()).fail(new Error('down'))
    ;(await next()).open('allowed-once')
    expect((await Promise.all(calls)).map(codeOf)).toEqual(['APPROVAL_UNAVAILABLE', 'ok'])
    expect(write.runs()).toBe(1)
  })

  it('go on when the first is aborted and its approver never answers', async () => {
    const { approver, next } = human()
    const { call, write } = asking(approver)
    const controller = new AbortController()
    const calls = [call({ signal: controller.signal }), call()]
    await next()
    controller.abort()
    ;(await next()).open('allowed-once')
    expect((await Promise.all(calls)).map(codeOf)).toEqual(['ABORTED_BEFORE_DISPATCH', 'ok'])
    expect(write.runs()).toBe(1)
  })

  it('keep their order when one in the middle is aborted while it waits, and it is never asked about', async () => {
    const { approver, next, asked } = human()
    const { call, write } = asking(approver)
    const controller = new AbortController()
    const first = call()
    const question = await next()
    const middle = call({ signal: controller.signal })
    const last = call()
    await settle()
    controller.abort()
    expect(codeOf(await middle)).toBe('ABORTED_BEFORE_DISPATCH')
    await settle()
    expect(asked).toEqual(['call-1'])
    question.open('allowed-once')
    const after = await next()
    await settle()
    after.open('rejected')
    expect([codeOf(await first), codeOf(await last)]).toEqual(['ok', 'APPROVAL_REJECTED'])
    expect(asked).toEqual(['call-1', 'call-3'])
    expect(write.runs()).toBe(1)
  })

  it('do not hold back others: another tool, scope, caller or arguments is asked about at once', async () => {
    const { approver, next, asked } = human()
    const { call } = asking(approver)
    const calls = [
      call(),
      call({ name: 'send' }),
      call({ scope: 'a' }),
      call({ caller: 'me' }),
      call({ arguments: { n: 1 } }),
    ]
    const questions = [await next(), await next(), await next(), await next(), await next()]
    expect(asked.toSorted()).toEqual(['call-1', 'call-2', 'call-3', 'call-4', 'call-5'])
    for (const question of questions) question.open('allowed-once')
    expect((await Promise.all(calls)).map(codeOf)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok'])
  })

  it('learn nothing from an answer to a call that was aborted before it', async () => {
    const { approver, next } = human()
    const { call, write, approve } = asking(approver)
    const controller = new AbortController()
    const aborted = call({ signal: controller.signal })
    const question = await next()
    controller.abort()
    question.open('allowed-for-session')
    expect(codeOf(await aborted)).toBe('ABORTED_BEFORE_DISPATCH')
    const later = call()
    ;(await next()).open('rejected')
    expect(codeOf(await later)).toBe('APPROVAL_REJECTED')
    expect([write.runs(), approve.size]).toEqual([0, 0])
  })
})
