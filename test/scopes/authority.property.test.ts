import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NAMES, type ScopeModel, type Step, steps, World } from './authority-world.js'

async function build(taken: readonly Step[], after: (world: World) => void = () => {}): Promise<World> {
  const world = new World()
  for (const step of taken) {
    await world.take(step)
    after(world)
  }
  return world
}

const codeOf = async (model: ScopeModel, name: string): Promise<string> => {
  const result = await model.scope.execute({ callId: `${model.scope.id} ${name}`, name })
  return result.isError ? result.error.code : 'ok'
}

/** What a scope's calls of a name reach, by whatever way its mode leaves open: the bodies that ran. */
async function reach(world: World, model: ScopeModel, name: string): Promise<string[]> {
  world.ran.length = 0
  await codeOf(model, name)
  const direct = world.ran.splice(0)
  if (model.mode === 'native') return direct
  const args = { code: name, description: 'Call one tool' }
  const run = await model.scope.execute({ callId: 'program', name: 'run_code', arguments: args })
  const offered = model.scope.visible().map(tool => tool.name)
  expect(run).toMatchObject({ isError: false, value: { logs: offered } })
  const byProgram = world.ran.splice(0)
  if (model.mode === 'both') expect(byProgram).toEqual(direct)
  else expect(direct).toEqual([])
  return byProgram
}

describe('authority', () => {
  it('is what masks, grants and layers say, after whatever came and went', async () => {
    const seen = ({ live }: World): void => {
      for (const model of live)
        for (const name of NAMES)
          expect(model.scope.get(name)?.description).toBe(model.sees(name)?.own.get(name))
    }
    await fc.assert(
      fc.asyncProperty(steps, async taken => {
        await build(taken, seen)
      }),
      { numRuns: 200 },
    )
  })

  it('never widens: a scope runs what its parent runs, its own, and what it has a recorded grant for', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async taken => {
        const world = await build(taken)
        for (const model of world.live) {
          if (model.parent === undefined) continue
          for (const name of NAMES) {
            const ran = await reach(world, model, name)
            const above = await reach(world, model.parent, name)
            const own = model.own.get(name)
            const mayRun = [...above, ...(own === undefined ? [] : [own])]
            if (model.grants.includes(name)) expect(ran.length).toBeLessThanOrEqual(1)
            else for (const body of ran) expect(mayRun).toContain(body)
            if (model.isGuarded(name)) expect(ran).toEqual([])
          }
        }
      }),
      { numRuns: 150 },
    )
  })

  it('is one answer: present, schemas, visible, get, explain and execute agree, programs too', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async taken => {
        const world = await build(taken)
        for (const model of world.live) {
          const { scope, mode } = model
          const { tools, sections } = scope.present()
          const presented = new Map(tools.map(tool => [tool.name, tool.description]))
          const schemas = new Map(scope.schemas().map(tool => [tool.name, tool.description]))
          const visible = new Map(scope.visible().map(tool => [tool.name, tool.description]))
          expect(presented.has('run_code')).toBe(mode !== 'native')
          if (mode === 'code') expect([...presented.keys()]).toEqual(['run_code'])
          for (const name of NAMES) {
            const seen = scope.get(name)?.description
            expect([visible.get(name), schemas.get(name)]).toEqual([seen, seen])
            if (mode !== 'code') expect(presented.get(name)).toBe(seen)
            const sdk = sections.find(section => section.id === 'tools:sdk')?.text ?? ''
            if (mode !== 'native' && seen !== undefined) expect(sdk).toContain(seen)
            const bodies = world.models.flatMap(({ own }) => own.get(name) ?? [])
            for (const body of bodies) if (body !== seen) expect(sdk).not.toContain(body)
            await explained(model, name, seen)
            const guarded = model.isGuarded(name)
            const ran = await reach(world, model, name)
            expect(ran).toEqual(seen === undefined || guarded ? [] : [seen])
          }
        }
      }),
      { numRuns: 100 },
    )
  })

  it('ends with a scope: a disposed one answers nothing, whatever it had', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(20), async (taken, which) => {
        const world = await build(taken)
        const gone = world.models[which % world.models.length] as ScopeModel
        await gone.dispose()
        world.ran.length = 0
        for (const model of world.models.filter(({ disposed }) => disposed)) {
          for (const name of NAMES) expect(await codeOf(model, name)).toBe('DISPOSED')
          expect(() => model.scope.present()).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
        }
        expect(world.ran).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})

async function explained(model: ScopeModel, name: string, seen: string | undefined): Promise<void> {
  const { status, scope, by, layer, grantedBy } = model.scope.explain(name)
  const code = await codeOf(model, name)
  if (seen === undefined) {
    expect(['masked', 'not-granted', 'unknown']).toContain(status)
    expect(code).toBe(model.isGuarded(name) ? 'GUARD_DENIED' : 'UNKNOWN_TOOL')
    expect(status === 'unknown').toBe(!model.known.has(name))
    if (status === 'unknown') return
    const masks = [...(model.chain.find(one => one.scope.id === scope)?.masks ?? [])]
    const rule = masks.some(({ allow, deny }) =>
      by === 'deny' ? deny?.includes(name) : allow?.includes(name) === false,
    )
    expect(rule).toBe(true)
    return
  }
  expect(layer).toBe(model.sees(name)?.scope.id)
  if (grantedBy !== undefined)
    expect(model.chain.find(one => one.scope.id === grantedBy)?.grants).toContain(name)
  const open = model.isGuarded(name) ? 'guarded' : 'callable'
  expect(status).toBe(model.mode === 'code' ? 'collapsed' : open)
  const direct = model.isGuarded(name) ? 'GUARD_DENIED' : 'ok'
  expect(code).toBe(model.mode === 'code' ? 'UNKNOWN_TOOL' : direct)
}
