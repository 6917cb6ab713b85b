import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hash } from '../../../test/support/store-changes.ts'
import { temporaryFolder } from '../../../test/support/store-files.ts'
import { MemoryError } from '../../core/errors.ts'
import { createAheadReader } from './read-ahead.ts'
import { createTransactions } from './transact.ts'
import { createWriterClient, type WriterClient } from './writer-client.ts'

const OPTIONS = { wait: true, durable: true, repeatable: false }

/** Writes by a writer that takes nothing back any more. */
function failingRollback() {
  const file = join(temporaryFolder(), 'memory.db')
  const real = createWriterClient({ file, synchronous: 'normal', busyTimeoutMs: 1, lockWaitMs: 1 })
  const ahead = createAheadReader(file, hash)
  onTestFinished(async () => {
    ahead.close()
    await real.close()
  })
  const writer: WriterClient = {
    ...real,
    async call(command, args) {
      const answer = await real.call(command, args)
      if (command === 'rollback') throw new MemoryError('UNAVAILABLE', 'the rollback failed')
      return answer
    },
  }
  const transact = createTransactions(writer, ahead)
  return { writer, fail: (first: unknown) => errorOf(transact(() => Promise.reject(first), OPTIONS)) }
}

async function errorOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => expect.fail('it did not fail'),
    (error) => error,
  )
}

test('what failed first is what a caller sees; what failed in taking it back is its cause', async () => {
  const first = new MemoryError('NOT_FOUND', 'no such node')
  const error = await failingRollback().fail(first)
  expect(error).toBe(first)
  expect(error.cause).toMatchObject({ message: 'the rollback failed' })
})

test('a cause that is there stays, and what is no error, or frozen, is passed on as it is', async () => {
  const cause = new Error('the reason')
  const known = new MemoryError('CONFLICT', 'not so', { cause })
  for (const first of [known, 'a word', undefined, Object.freeze(new Error('frozen'))])
    expect(await failingRollback().fail(first)).toBe(first)
  expect(known.cause).toBe(cause)
})

test('what could not even begin is told before what failed for that reason', async () => {
  const { writer, fail } = failingRollback()
  await writer.call('begin', [{ wait: true, durable: true, unchanged: false }])
  const error = await fail(new Error('later'))
  expect(error.message).toContain('within a transaction')
  expect(error.cause).toMatchObject({ message: 'the rollback failed' })
})
