import { describe, expect, test } from 'vitest'
import type { RelatedAnswer, RelatedInput } from '../../src/core/find/read/related-model.ts'
import { relatedText } from '../../src/core/find/read/related-text.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import type { ReadOptions } from '../../src/runtime/upkeep/warmed.ts'
import { heatOf, openIn, temporaryFolder } from '../support/engine.ts'

/** Notes by name, linked by hand: `A>B 2` for a link from A to B with that weight. */
async function openGraph(...links: string[]) {
  const memory = await openIn(temporaryFolder())
  const ids = new Map<string, string>()
  for (const link of links) {
    const [, source = '', target = '', weight = 1] = /^(\w+)>(\w+) ?(\S+)?$/.exec(link) ?? []
    for (const name of [source, target])
      if (!ids.has(name)) ids.set(name, (await memory.write({ payload: `# ${name}` })).id)
    await memory.relate({ sourceId: id(source), targetId: id(target), weight: Number(weight) })
  }
  function id(name: string): string {
    return ids.get(name) ?? ''
  }
  return {
    memory,
    id,
    related: (name: string, input: Partial<RelatedInput> & ReadOptions = {}) =>
      memory.related({ anchor: id(name), direction: 'out', ...input }),
    [Symbol.asyncDispose]: () => memory.close(),
  }
}

/** As `B 3 (A, B)`: what was found, its weight, and the way. */
function shown({ related }: RelatedAnswer): string[] {
  return related.map(
    ({ label, weight, via }) => `${label} ${weight} (${via.map((step) => step.label).join(', ')})`,
  )
}

describe('related', () => {
  test('ranks by the weight of the path and gives the path as the reason', async () => {
    await using at = await openGraph('A>B', 'A>C 2', 'C>D')
    expect(shown(await at.related('A'))).toEqual(['C 2 (C)', 'B 1 (B)'])
    const { related, leftOut, isComplete } = await at.related('A', { depth: 2 })
    expect({ leftOut, isComplete }).toEqual({ leftOut: 0, isComplete: true })
    expect(related[0]).toEqual({
      id: at.id('D'),
      type: 'heading',
      label: 'D',
      path: expect.any(String),
      hop: 2,
      weight: 3,
      temperature: 0.5,
      tokens: 1,
      via: [
        { id: at.id('C'), label: 'C', weight: 2, direction: 'out', origin: 'manual' },
        { id: at.id('D'), label: 'D', weight: 1, direction: 'out', origin: 'manual' },
      ],
    })
  })

  test('goes round no circle: what is linked back and forth gains nothing', async () => {
    await using at = await openGraph('A>B', 'B>A', 'B>B 9', 'A>C 2')
    expect(shown(await at.related('A', { depth: 5 }))).toEqual(['C 2 (C)', 'B 1 (B)'])
  })

  test('finds what a few hops reach, also behind a node that a heavier detour reaches', async () => {
    await using at = await openGraph('A>B 5', 'B>C 5', 'A>C 1', 'C>D 1')
    expect(shown(await at.related('A', { depth: 2 }))).toEqual(['C 10 (B, C)', 'B 5 (B)', 'D 2 (C, D)'])
  })

  test('follows links where they lead, where they come from, and both in one path', async () => {
    await using at = await openGraph('A>B', 'C>B 2', 'D>A')
    expect(shown(await at.related('A', { depth: 2 }))).toEqual(['B 1 (B)'])
    expect(shown(await at.related('A', { depth: 2, direction: 'in' }))).toEqual(['D 1 (D)'])
    const both = await at.memory.related({ anchor: at.id('A'), depth: 2 })
    expect(both.related[0]).toMatchObject({ label: 'C', via: [{ direction: 'out' }, { direction: 'in' }] })
    expect(both.related).toHaveLength(3)
  })

  test('leaves out links below the minimum, by default those below nothing', async () => {
    await using at = await openGraph('A>B -1', 'A>C 0', 'A>D 2')
    expect(shown(await at.related('A'))).toEqual(['D 2 (D)', 'C 0 (C)'])
    expect(shown(await at.related('A', { minWeight: 2 }))).toEqual(['D 2 (D)'])
    expect(shown(await at.related('A', { minWeight: -1 }))).toEqual(['D 2 (D)', 'C 0 (C)', 'B -1 (B)'])
  })

  test('of several edges between two nodes the strongest counts', async () => {
    await using memory = await openIn(temporaryFolder())
    const target = await memory.write({ payload: '# T' })
    const source = await memory.write({ payload: 'See [[T; w=3]].' })
    await memory.relate({ sourceId: source.id, targetId: target.id, weight: 2 })
    await memory.relate({ sourceId: target.id, targetId: source.id, weight: 2.5 })
    const ask = async (anchor: string) => (await memory.related({ anchor })).related[0]?.via
    expect(await ask(source.id)).toMatchObject([{ weight: 3, origin: 'parsed', direction: 'out' }])
    expect(await ask(target.id)).toMatchObject([{ weight: 3, origin: 'parsed', direction: 'in' }])
  })

  test('puts the warmer first where weights are equal, then the older', async () => {
    await using at = await openGraph('A>B', 'A>C', 'A>D')
    await at.memory.pin({ id: at.id('C'), temperature: 0.9 })
    const inOrder = [at.id('C'), at.id('B'), at.id('D')]
    for (const limit of [1, 2, 3]) {
      const { related, leftOut } = await at.related('A', { limit })
      expect(related.map(({ id }) => id)).toEqual(inOrder.slice(0, limit))
      expect(leftOut).toBe(3 - limit)
    }
  })

  test('is cut to the limit and to the budget, and counts what is missing', async () => {
    await using at = await openGraph(...Array.from({ length: 30 }, (_, n) => `A>N${n} ${n}`))
    expect(shown(await at.related('A', { limit: 2 }))).toEqual(['N29 29 (N29)', 'N28 28 (N28)'])
    expect((await at.related('A', { limit: 2 })).leftOut).toBe(28)
    const small = await at.related('A', { budget: 100 })
    expect(small.related.length).toBeGreaterThan(1)
    expect(small.related.length + small.leftOut).toBe(30)
    expect(relatedText(small).split('\n').at(-1)).toBe(
      `… ${small.leftOut} more left out: offset=${small.related.length}`,
    )
    const byDefault = await at.related('A')
    expect(byDefault).toEqual(await at.related('A', { budget: 1000 }))
    expect((await at.related('A', { budget: 0 })).related).toHaveLength(30)
  })

  test('says when there are more links than are looked at', async () => {
    await using memory = await openIn(temporaryFolder())
    const lines = Array.from({ length: 5001 }, (_, n) => `Line ${n} [[Hub]].`)
    await memory.write({ payload: `# Hub\n\n${lines.join('\n\n')}` })
    const [hub] = (await memory.forest({ depth: 1 })).roots
    const answer = await memory.related({ anchor: hub?.id ?? '', direction: 'in', limit: 1 })
    expect(answer).toMatchObject({ isComplete: false, leftOut: 4999 })
    expect(relatedText(answer).split('\n').at(-1)).toBe('… not every link was looked at: there are too many')
  })

  test('warms what it returns, unless it is not to', async () => {
    await using at = await openGraph('A>B 2', 'A>C')
    const heats = () => ['A', 'B', 'C'].map((name) => heatOf(at.memory).get(at.id(name))?.accesses)
    await at.related('A', { limit: 1, warm: false })
    await at.memory.tick()
    expect(heats()).toEqual([0, 0, 0])
    await at.related('A', { limit: 1 })
    await at.memory.tick()
    expect(heats()).toEqual([0, 1, 0])
  })

  test.each([
    [{ anchor: 'none' }, 'NOT_FOUND', /^node none not found/],
    [{ direction: 'up' }, 'INVALID_INPUT', /^direction must be one of out, in, both$/],
    [{ depth: 0 }, 'INVALID_INPUT', /^depth must be a whole number from 1 to 5, got 0$/],
    [{ depth: 6 }, 'INVALID_INPUT', /^depth must be/],
    [{ depth: 1.5 }, 'INVALID_INPUT', /^depth must be/],
    [{ minWeight: Number.NaN }, 'INVALID_INPUT', /^min_weight must be a number$/],
    [{ limit: 0 }, 'INVALID_INPUT', /^limit must be a positive whole number, got 0$/],
    [{ budget: 49 }, 'INVALID_INPUT', /^budget must be a whole number of tokens from 50/],
    [{ anchor: undefined }, 'INVALID_INPUT', /^related needs { anchor }/],
  ])('refuses %j', async (input, code, message) => {
    await using at = await openGraph('A>B')
    const asked = at.memory.related({ anchor: at.id('A'), ...input } as RelatedInput)
    await expect(asked).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })
})

describe('the text', () => {
  const linesOf = async (memory: Memory, input: RelatedInput) =>
    relatedText(await memory.related(input)).split('\n')

  test('has a line a node, and the way where it is not direct', async () => {
    await using at = await openGraph('A>B 2.5', 'C>B', 'C>D 4')
    const place = (name: string) => `${name} (id=${at.id(name)} file=mcp:write`
    expect(await linesOf(at.memory, { anchor: at.id('A'), depth: 3 })).toEqual([
      `[heading] ${place('D')} hop=3 weight=7.50 temp=0.50 tok=1)`,
      '  via → B ← C →',
      `[heading] ${place('C')} hop=2 weight=3.50 temp=0.50 tok=1)`,
      '  via → B ←',
      `[heading] ${place('B')} hop=1 weight=2.50 temp=0.50 tok=1)`,
    ])
  })

  test('says when there is nothing, and lets nothing of a text rule the terminal', async () => {
    await using at = await openGraph('A>B')
    expect(await linesOf(at.memory, { anchor: at.id('B'), direction: 'out' })).toEqual(['no related nodes'])
    await at.memory.write({ anchor: at.id('B'), payload: '# B\u202e\u009b2J' })
    const [line] = await linesOf(at.memory, { anchor: at.id('A') })
    expect(line).toMatch(/^\[heading\] B\\u\{202e\}/)
  })
})
