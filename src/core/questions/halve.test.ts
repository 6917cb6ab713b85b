import { describe, expect, test } from 'vitest'
import { findEdge, findGood } from './halve.ts'
import type { Timeline } from './timeline.ts'

/** A history as a text: `1` found, `0` lost, `.` a snapshot that was removed. The first is snapshot 1. */
function historyOf(text: string) {
  const ids = [...text].flatMap((sign, at) => (sign === '.' ? [] : [at + 1]))
  const asked: number[] = []
  const timeline: Timeline = {
    async between(after, before) {
      const inside = ids.filter((id) => id > after && id < before)
      return inside[Math.floor((inside.length - 1) / 2)]
    },
    upTo: async (id) => ids.filter((one) => one <= id).at(-1) ?? 0,
  }
  const isFoundAt = async (snapshot: number): Promise<boolean> => {
    expect(ids).toContain(snapshot)
    asked.push(snapshot)
    return text[snapshot - 1] === '1'
  }
  return {
    head: ids.at(-1) ?? 0,
    ids,
    timeline,
    isFoundAt,
    asked,
    isFound: (id: number) => text[id - 1] === '1',
  }
}

async function bisect(text: string, most = 200) {
  const history = historyOf(text)
  const { timeline, isFoundAt, head } = history
  const good = await findGood(timeline, isFoundAt, { head, most })
  if (good.snapshot === undefined) return { ...history, good, edge: undefined }
  const edge = await findEdge(timeline, isFoundAt, { before: good.snapshot, at: head })
  return { ...history, good, edge }
}

describe('a change from found to lost', () => {
  test.each([
    ['10', 1, 2],
    ['111000', 3, 4],
    ['000111000', 6, 7],
    ['1111110', 6, 7],
    ['100000000000', 1, 2],
    ['1.1..0.0', 3, 6],
    ['...1.0', 4, 6],
    ['0001000000000000000000000', 4, 5],
  ])('in %s is between %i and %i', async (text, before, at) => {
    expect((await bisect(text)).edge).toEqual({ before, at })
  })

  test.each(['1010', '101110', '1001110001100', '010101010', '11011011.0'])(
    'is found in %s, where it comes and goes',
    async (text) => {
      const { edge, ids, isFound } = await bisect(text)
      const [before, at] = [edge?.before ?? 0, edge?.at ?? 0]
      expect([isFound(before), isFound(at)]).toEqual([true, false])
      expect(ids.filter((id) => id > before && id < at)).toEqual([])
    },
  )

  test('is found in histories of any kind', async () => {
    const seed = Date.now()
    const random = randomOf(seed)
    for (let run = 0; run < 300; run++) {
      const length = 1 + Math.floor(random() * 40)
      const text = `${Array.from({ length }, () => '10.'[Math.floor(random() * 3)]).join('')}0`
      const { edge, good, ids, isFound } = await bisect(text)
      expect(good.snapshot === undefined, `${text}, seed ${seed}`).toBe(!text.includes('1'))
      if (!edge) continue
      expect([isFound(edge.before), isFound(edge.at)], `${text}, seed ${seed}`).toEqual([true, false])
      expect(ids.filter((id) => id > edge.before && id < edge.at)).toEqual([])
    }
  })

  test('in 1000 snapshots takes about twenty questions', async () => {
    const { edge, asked } = await bisect(`${'1'.repeat(400)}${'0'.repeat(600)}`)
    expect(edge).toEqual({ before: 400, at: 401 })
    expect(asked.length).toBeLessThan(25)
  })
})

describe('a snapshot at which it is found', () => {
  test('is not there when it never was', async () => {
    expect((await bisect('0000')).good).toEqual({ snapshot: undefined, triedAll: true })
    expect((await bisect('0')).good).toEqual({ snapshot: undefined, triedAll: true })
  })

  test('is given up after so many attempts', async () => {
    const { good, asked } = await bisect('0'.repeat(1000), 50)
    expect(good).toEqual({ snapshot: undefined, triedAll: false })
    expect(asked).toHaveLength(50)
  })

  test('is one of the newest', async () => {
    expect((await bisect('1110000000000111100')).good.snapshot).toBe(17)
  })
})

function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
