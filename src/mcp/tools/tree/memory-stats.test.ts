import { expect, test } from 'vitest'
import { idsOf, openTools } from '../../../../test/support/agent-memory.ts'

const FILES = { 'a.md': '# A\n\nSee [[A]], [[B]].\n\n```sh\nmake\n```\n' }

test('shows the numbers of a memory', async () => {
  let now = 1_700_000_000_000
  await using at = await openTools(FILES, { now: () => now })
  const ids = await idsOf(at.memory)
  const { id } = await at.memory.write({ payload: 'A note.' })
  await at.memory.relate({ sourceId: id, targetId: ids.A ?? '' })
  await at.memory.pin({ id, temperature: 0.9 })
  now += 42_000
  const { text, structured } = await at.call('MemoryStats')
  const { snapshots, db_path } = structured as { snapshots: { cursor_hash: string }; db_path: string }
  expect(text.replace(/\(\d+\.\d KB\)/, '(192.0 KB)')).toBe(`Database: ${db_path} (192.0 KB)
Nodes:                4 (10 tokens)
    ├─ code:          1
    ├─ heading:       1
    └─ text:          2
Snapshots:            2
    ├─ latest:        #2, 42s ago, "write:${id}"
    └─ cursor:        ${snapshots.cursor_hash}
Temperature:${' '.repeat(9)}
    ├─ avg:           0.60
    ├─ median:        0.50
    ├─ hot (>=0.6):   1
    ├─ cold (<0.1):   0
    └─ pinned:        1
Relations:            3
    ├─ manual:        1
    ├─ parsed:        1
    └─ pending:       1
FTS rows:             4`)
  expect(structured).toMatchObject({ nodes: { total: 4 }, relations: { pending: 1 }, cold_nodes: [] })
})

test('of an empty memory leaves out empty sections', async () => {
  await using at = await openTools()
  const text = await at.text('MemoryStats')
  expect(text).toContain('Nodes:                0 (0 tokens)\nSnapshots:            0\nTemperature:')
  expect(text).not.toContain('latest')
})

const DAY = 86_400_000
const words = (count: number, word: string): string => `${word} `.repeat(count)

test('calls nothing hot or cold after a compile, nor after a weekend', async () => {
  let now = 1_700_000_000_000
  await using at = await openTools(FILES, { now: () => now })
  await at.memory.tick()
  for (const days of [0, 0.001, 3]) {
    now += days * DAY
    await at.memory.tick()
    expect((await at.memory.overview()).temperature).toMatchObject({ hot: 0, cold: 0 })
  }
  expect(await at.text('MemoryStats')).not.toContain('MemorySummarize')
})

test('names long nodes that were not read for a month, at most five, one line each', async () => {
  let now = 1_700_000_000_000
  const texts = ['Read', 'Pinned', 'One', 'Two', 'Three', 'Four', 'Five', 'Six']
  const files = Object.fromEntries(texts.map((word) => [`${word}.md`, `# ${word}\n\n${words(150, word)}\n`]))
  await using at = await openTools({ ...files, 'short.md': '# Short\n\nText.\n' }, { now: () => now })
  const { nodes } = await at.memory.tree({ depth: 128, limit: 1000, warm: false })
  const long = nodes.filter(({ tokens }) => tokens > 100)
  const idOf = (word: string) => long.find(({ label }) => label.startsWith(word))?.id ?? ''
  await at.memory.pin({ id: idOf('Pinned') })
  now += 29 * DAY
  await at.memory.warm([idOf('Read')])
  expect((await at.call('MemoryStats')).structured.cold_nodes).toEqual([])
  now += 2 * DAY
  const { text, structured } = await at.call('MemoryStats')
  const named = structured.cold_nodes as { id: string; path: string }[]
  expect(named).toHaveLength(5)
  const known = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map(idOf)
  expect(named.filter(({ id }) => !known.includes(id))).toEqual([])
  const lines = text.split('\n')
  expect(lines.at(-6)).toBe(
    'Long nodes that nobody has read for a month, coldest first; shorten them with MemorySummarize, or keep them with MemoryPin:',
  )
  expect(lines.slice(-5).map((line) => line.match(/\(id=(\w+) file=/)?.[1])).toEqual(
    named.map(({ id }) => id),
  )
})

test('does not name a node whose text changed within the month', async () => {
  let now = 1_700_000_000_000
  await using at = await openTools({ 'a.md': `${words(150, 'old')}\n` }, { now: () => now })
  const [id = ''] = Object.values(await idsOf(at.memory))
  now += 31 * DAY
  expect((await at.call('MemoryStats')).structured.cold_nodes).toHaveLength(1)
  await at.memory.write({ anchor: id, payload: words(150, 'new') })
  expect((await at.call('MemoryStats')).structured.cold_nodes).toEqual([])
})

test('takes no arguments', async () => {
  await using at = await openTools()
  await expect(at.call('MemoryStats', { verbose: true })).rejects.toThrow(
    'unknown argument "verbose"; this tool takes none',
  )
})
