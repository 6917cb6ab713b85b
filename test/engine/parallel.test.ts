import { expect, test } from 'vitest'
import { expectSound, openWorkspace, stateOf } from '../support/engine.ts'

/** More than is parsed without threads: 5 MiB in files of growing size, in few nodes. */
const FILES = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [
    `${at % 3}/f${at}.md`,
    `# File ${at}\n\n${`${`Words of ${at}. `.repeat(at * 30)}\n\n`.repeat(20)}`,
  ]),
)

test('the number of threads changes nothing in what is stored', async () => {
  const memories = []
  for (const threads of [1, 2, 4]) {
    const settings = { 'compile.max_parallelism': threads, 'compile.max_node_tokens': 100_000 }
    await using at = await openWorkspace(FILES, { settings })
    const [snapshot, ...others] = await at.memory.snapshots()
    expect(others).toEqual([])
    const versions = await at.memory.delta({ since: 0, limit: 1000 })
    memories.push({ state: await stateOf(at.memory), cursor: snapshot?.cursorHash, versions: versions.items })
    await expectSound(at.memory)
  }
  expect(memories[1]).toEqual(memories[0])
  expect(memories[2]).toEqual(memories[0])
})

test('what fails in a thread is reported as it is without one', async () => {
  const settings = { 'compile.max_parallelism': 2, 'compile.max_node_tokens': 100_000 }
  await using at = await openWorkspace({ ...FILES, 'bad.yaml': 'a: [1\n' }, { settings })
  await using alone = await openWorkspace({ 'bad.yaml': 'a: [1\n' })
  const { skipped } = await at.compile()
  expect(skipped).toHaveLength(1)
  expect(skipped).toEqual((await alone.compile()).skipped)
})
