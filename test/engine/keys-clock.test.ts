import { expect, test } from 'vitest'
import { openKeys } from '../support/keys.ts'

/** Versions are times; their last three digits are not. */
const LATER = /^2026-06-14T21:58:13\.123/

test('a tombstone is as old as its redaction, by the clock of the memory', async () => {
  await using at = await openKeys()
  await at.text('remember', { key: 'k', value: 'one', tags: ['t'] })
  at.pass(1000)
  await at.text('redact_memory', { key: 'k' })
  const { items } = await at.json('list_memories', { tag: 't', include_redacted: true })
  expect(items).toMatchObject([
    { version: expect.stringMatching(LATER), redacted_at: expect.stringMatching(LATER) },
  ])
})

test('what a rollback brings back is as old as the rollback', async () => {
  await using at = await openKeys()
  await at.text('remember', { key: 'k', value: 'one' })
  await at.text('remember', { key: 'k', value: 'two' })
  at.pass(1000)
  await at.memory.rollback({ snapshotId: 1 })
  expect(await at.version('k')).toMatch(LATER)
})
