import { readFileSync } from 'node:fs'
import { createToolRegistry } from 'toolgate'
import { describe, expect, it } from 'vitest'

const guide = readFileSync(new URL('../docs/options.md', import.meta.url), 'utf8')
const section = (title: string): string => guide.split(/^## /m).find(part => part.startsWith(title)) ?? ''
const rows = (title: string): string[] =>
  [...section(title).matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name as string)

/** What the refusal of an unknown name lists. */
function listed(act: () => unknown, after: RegExp): string[] {
  try {
    act()
  } catch (error) {
    return (error as Error).message.replace(after, '').split(', ')
  }
  return []
}

describe('docs/options.md', () => {
  it('has every option and no other', () => {
    const known = listed(() => createToolRegistry({ nope: 1 } as never), /^.*; it has /)
    expect(rows('Options').toSorted()).toEqual([...known, 'codeRuntime', 'codeMode'].toSorted())
  })

  it('has every event and no other', () => {
    const known = listed(() => createToolRegistry().on('nope' as never, () => {}), /^.*; there are /)
    expect(rows('Events').toSorted()).toEqual(known.toSorted())
  })
})
