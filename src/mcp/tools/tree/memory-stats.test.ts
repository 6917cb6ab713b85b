import { expect, test } from 'vitest'
import { idsOf, openTools } from '../../../../test/support/hands.ts'

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
    ├─ hot (>=0.5):   4
    ├─ cold (<0.1):   0
    └─ pinned:        1
Relations:            3
    ├─ manual:        1
    ├─ parsed:        1
    └─ pending:       1
FTS rows:             4`)
  expect(structured).toMatchObject({ nodes: { total: 4 }, relations: { pending: 1 }, cold_nodes: [] })
})

test('of an empty memory leaves out what there is not', async () => {
  await using at = await openTools()
  const text = await at.text('MemoryStats')
  expect(text).toContain('Nodes:                0 (0 tokens)\nSnapshots:            0\nTemperature:')
  expect(text).not.toContain('latest')
})

test('lists what is cold, and what to do about it', async () => {
  await using at = await openTools(FILES)
  const ids = await idsOf(at.memory)
  await at.memory.summarize({ id: ids.A ?? '', summary: 'A', temperature: 0.02 })
  const { text, structured } = await at.call('MemoryStats')
  expect(text.split('\n').slice(-2)).toEqual([
    'Cold nodes, coldest first; shorten them with MemorySummarize, or keep them with MemoryPin:',
    `    A (id=${ids.A} file=a.md temp=0.02)`,
  ])
  expect(structured.cold_nodes).toEqual([{ id: ids.A, label: 'A', path: 'a.md', temperature: 0.02 }])
})

test('takes no arguments', async () => {
  await using at = await openTools()
  await expect(at.call('MemoryStats', { verbose: true })).rejects.toThrow(
    'there is no argument "verbose"; this tool takes none',
  )
})
