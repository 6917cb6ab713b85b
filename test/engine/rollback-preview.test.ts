import { expect, test } from 'vitest'
import { openWorkspace } from '../support/engine.ts'

const FILES = { 'plan.md': '# Plan\n\nRent is due.\n\n## Food\n\nBuy milk.\n\n- bread\n- cheese\n' }

test('a preview of a rollback names exactly what the rollback then changes', async () => {
  await using at = await openWorkspace(FILES)
  const { memory } = at
  const { nodes } = await memory.tree({ warm: false })
  const milk = nodes.find(({ label }) => label === 'Buy milk.')?.id ?? ''
  await memory.write({ anchor: milk, payload: 'Buy oat milk.' })
  await memory.forget({ id: nodes.find(({ label }) => label === 'Rent is due.')?.id ?? '' })
  await memory.keys.remember({ key: 'tone', value: 'short' })
  const head = (await memory.snapshots({ limit: 1 }))[0]?.id ?? 0

  const preview = await memory.previewRollback({ snapshotId: 1 })
  expect((await memory.snapshots({ limit: 1 }))[0]?.id).toBe(head)
  expect(preview).toMatchObject({ target: 1, documents: 1, snapshotsAfter: head - 1 })
  expect(preview.changes.find(({ nodeId }) => nodeId === milk)).toMatchObject({
    op: 'mod',
    file: 'plan.md',
    heading: 'Food',
    old: { text: 'Buy oat milk.' },
    new: { text: 'Buy milk.' },
  })

  const result = await memory.rollback({ snapshotId: 1 })
  expect(result).toMatchObject({ status: 'rolled-back', affected: preview.changes.length })
  const { items } = await memory.diff({ from: head, to: head + 1 })
  const facts = (rows: typeof items) =>
    rows.map(({ nodeId, op, old: before, new: after }) => [nodeId, op, before?.text, after?.text])
  expect(facts(preview.changes)).toEqual(facts(items))
  expect(await memory.previewRollback({ snapshotId: 1 })).toMatchObject({ changes: [], documents: 0 })
})

test('history and diff name the file, the heading and the first words of each node', async () => {
  await using at = await openWorkspace(FILES)
  const { items } = await at.memory.diff({ from: 0, to: 1 })
  expect(items.map(({ file, heading }) => `${file} ${heading}`)).toEqual([
    'plan.md ',
    'plan.md Plan',
    'plan.md Plan',
    ...Array(items.length - 3).fill('plan.md Food'),
  ])
})

test('a file whose nodes a rollback brought back is listed among the files', async () => {
  await using at = await openWorkspace({ ...FILES, 'gone.md': '# Gone\n' })
  at.remove('gone.md')
  await at.compile()
  const paths = async () =>
    (await at.memory.files()).roots.flatMap(({ files }) => files.map(({ path }) => path))
  expect(await paths()).toEqual(['plan.md'])
  await at.memory.rollback({ snapshotId: 1 })
  expect(await paths()).toEqual(['gone.md', 'plan.md'])
})
