import { expect, onTestFinished, test } from 'vitest'
import { hash } from '../../../test/support/store-changes.ts'
import { filledDatabase } from '../../../test/support/store-database.ts'
import { readAhead } from './read-ahead.ts'
import { openHandle } from './readers.ts'

test('questions end also where the engine has ended their transaction by itself, as it does when a disk fails', async () => {
  const reader = openHandle(await filledDatabase(), hash, { isMapped: false })
  onTestFinished(() => void reader.db.close())
  const ahead = readAhead(reader)
  await ahead.ask('home', [])
  reader.db.exec('ROLLBACK')
  ahead.end()
  expect(ahead.ask('home', [])).toBeUndefined()
  expect(await readAhead(reader).ask('home', [])).toBeNull()
})
