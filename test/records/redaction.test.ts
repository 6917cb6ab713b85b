import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openRecords, type RecordWorkspace } from '../support/records.ts'
import { SECRET } from '../support/secret-files.ts'

function filesWithSecret({ memory }: RecordWorkspace): string[] {
  const folder = dirname(memory.path)
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(SECRET))
}

test('a secret is stored in no part of a record, and is found by what was stored instead', async () => {
  await using at = await openRecords({ settings: { 'records.max_tags': 10 } })
  // As long as a tag may be.
  const custom = SECRET.slice(0, 30)
  const { id, task_metadata, ...memory } = await at.store(`content ${SECRET}`, {
    type: 'task',
    category: SECRET,
    tags: [custom, 'plain'],
    task_metadata: { status: 'blocked', blockers: [SECRET], outcome: `outcome ${SECRET}` },
  })
  const said = JSON.stringify({ task_metadata, ...memory })
  expect(said).not.toContain(SECRET)
  expect(said.match(/«redacted:/g)?.length).toBeGreaterThanOrEqual(4)
  await at.memory.records.update({ id, content: `changed ${SECRET}`, category: `c ${SECRET}` })
  // Looked for by the secret itself: nobody stores it, and it finds what it became.
  expect((await at.memory.records.query({ search: `changed ${SECRET}` })).total).toBe(1)
  expect((await at.memory.records.query({ category: `c ${SECRET}` })).total).toBe(1)
  await at.memory.records.delete({ id, permanent: true })
  await at.memory.close()
  expect(filesWithSecret(at)).toEqual([])
  await at.reopen()
})

test('an erased record is in no file', async () => {
  await using at = await openRecords()
  const word = 'xylophonequartz'
  const { id } = await at.store(`A ${word}.`, { type: 'task', tags: [word], category: word })
  await at.memory.records.update({ id, content: `Another ${word}.`, task_metadata: { outcome: word } })
  await at.memory.erase({ kind: 'record', id })
  await at.memory.close()
  const folder = dirname(at.memory.path)
  expect(readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(word))).toEqual([])
  await at.reopen()
})
