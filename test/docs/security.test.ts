import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const at = new URL('../../docs/security.md', import.meta.url)
const page = readFileSync(at, 'utf8')
const linked = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link as string)
const named = [...page.matchAll(/`((?:test|build|docs|bench)\/[^`\s]+)`/g)].map(([, path]) => `../${path}`)

describe('docs/security.md', () => {
  it.each([...new Set([...linked, ...named])])('%s is there', link => {
    expect(existsSync(new URL(link, at))).toBe(true)
  })

  it('has a test for every promise', () => {
    const promises = [...page.matchAll(/^\| (?!---|promise)(.*) \| (.*) \|$/gm)]
    expect(promises.length).toBeGreaterThan(15)
    for (const [, promise, tests] of promises)
      expect([promise, tests]).toEqual([promise, expect.stringContaining('.test.ts)')])
  })

  it('names the limits that there are', () => {
    for (const name of ['cpuMs', 'maxCalls']) expect(page).toContain(`\`${name}\``)
  })
})
