import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchText } from '../../src/core/find/read/fetch-batch-text.ts'
import { fetchText } from '../../src/core/find/read/fetch-text.ts'
import { treeText } from '../../src/core/find/read/tree-text.ts'
import { searchText } from '../../src/core/find/search-text.ts'
import { NODE_TYPES } from '../../src/core/model.ts'
import { diffLines } from '../../src/core/render/diff-text.ts'
import { coldLine } from '../../src/core/render/stats-text.ts'
import { deltaLine, historyLines, historyTitle } from '../../src/core/render/versions-text.ts'
import { printable } from '../../src/util/text/printable.ts'
import { openWorkspace } from '../support/engine.ts'
import { RUNS } from '../support/engine-documents.ts'
import { hostile, matches, seen } from '../support/hostile-text.ts'

const TIMEOUT = { timeout: 60_000 * RUNS }

const texts = fc.array(hostile, { minLength: 1, maxLength: 4 })

/** The ids of the nodes that an answer has lines for; a backslash takes the meaning from what follows. */
function nodesIn(text: string): string[] {
  return matches(text, NODE_LINE)
}
const NODE_LINE = new RegExp(String.raw`^\[(?:${NODE_TYPES.join('|')})\] .*?(?<!\\)\(id=(\w{11})`)

test(
  'the lines of a tree answer are the nodes there are, whatever their texts and labels say',
  TIMEOUT,
  async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (payloads) => {
        await using at = await openWorkspace()
        const { memory } = at
        const ids: string[] = []
        for (const payload of payloads)
          ids.push((await memory.write({ payload: `# ${payload}\n\n${payload}` })).id)
        const anchor = ids[0] as string
        const whole = await memory.fetch({ anchor, depth: 9, warm: false })
        expect(nodesIn(fetchText(whole))).toEqual(whole.nodes.map(({ id }) => id))
        expect(matches(fetchText(whole), /^(\.\.\. ?\d.*)/)).toEqual([])
        const next = whole.nextInDocument ?? []
        expect(matches(fetchText(whole), /^\.\.\. ?next ?in.*=(.*)/)).toEqual([next].flat())
        const batch = await memory.fetchBatch({ ids: [...ids, 'ZZZZZZZZZZZ'], warm: false })
        expect(nodesIn(batchText(batch))).toEqual(batch.nodes.map(({ id }) => id))
        expect(matches(batchText(batch), /^(?:not found|over budget): ?(.*)/)).toEqual(['ZZZZZZZZZZZ'])
        const tree = await memory.tree({ warm: false })
        expect(nodesIn(treeText(tree))).toEqual(tree.nodes.map(({ id }) => id))
        const found = await memory.search({ query: 'zebra', warm: false })
        expect(nodesIn(searchText(found))).toEqual(found.hits.map(({ id }) => id))
      }),
      { numRuns: 12 * RUNS },
    )
  },
)

test('the lines of deltas, diffs, histories and cold nodes are the changes there are', TIMEOUT, async () => {
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (first, second) => {
      await using at = await openWorkspace()
      const { id } = await at.memory.write({ payload: first })
      await at.memory.write({ payload: second, anchor: id })
      const delta = (await at.memory.delta({ since: 0 })).items
      expect(
        matches(delta.map((row) => deltaLine(row)).join('\n'), /^\[(?:add|mod|rem)\] ?(\w{11})/),
      ).toEqual(delta.map(({ nodeId }) => nodeId))
      const placed = delta.map((row) => ({ ...row, file: second, heading: first }))
      const diff = placed.flatMap((row) => [...diffLines(row)]).join('\n')
      expect(matches(diff, /^\[(?:add|mod|rem)\] ?(\w{11})/)).toEqual(delta.map(({ nodeId }) => nodeId))
      const { items } = await at.memory.history({ id })
      const history = items
        .flatMap((row) => [historyTitle({ ...row, file: second }), ...historyLines(row)])
        .join('\n')
      expect(matches(history, /^(snapshot ?\d+):/)).toEqual(items.map((row) => `snapshot ${row.snapshotId}`))
      const cold = coldLine({ key: 1, id, label: first, source: second, value: 0.1 })
      expect(seen(cold)).toHaveLength(1)
      expect(
        seen(cold)
          .join()
          .match(/(?<!\\)\(id=/g),
      ).toHaveLength(1)
    }),
    { numRuns: 12 * RUNS },
  )
})

test('the lines of a summary and of a packed context are the keys there are', TIMEOUT, async () => {
  await fc.assert(
    fc.asyncProperty(pairs, async (given) => {
      await using at = await openWorkspace()
      const { keys } = at.memory
      for (const [key, value] of given) await keys.remember({ key, value, tags: ['t'] })
      const names = given.map(([key]) => plain(printable(key))).toSorted()
      const summary = await keys.summarize('t')
      expect(
        matches(summary, /^\*\*(.*?)\*\*:/)
          .map(plain)
          .toSorted(),
      ).toEqual(names)
      expect(matches(summary, /^\*(\d+) ?memor/)).toEqual([String(given.length)])
      expect(seen(summary).filter((line) => /^(---|##)/.test(line))).toHaveLength(2)
      const packed = await keys.pack({ topic: 'zebra', budgetTokens: 100_000 })
      expect(
        matches(packed, /^- ?\*\*(.*?)\*\*:/)
          .map(plain)
          .toSorted(),
      ).toEqual(names)
      expect(seen(packed).filter((line) => /^(---|##|\*)/.test(line))).toHaveLength(1)
    }),
    { numRuns: 12 * RUNS },
  )
})

const key = hostile.map((text) => [...text].slice(0, 200).join(''))
const pairs = fc.uniqueArray(fc.tuple(key, hostile), {
  selector: ([name]) => name,
  minLength: 1,
  maxLength: 4,
})

/** A name without its escapes. */
function plain(name: string): string {
  return seen(name).join('').replaceAll('\\', '').trim()
}
