import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/store-files.ts'
import { MemoryError } from '../../core/errors.ts'
import { transact } from './engine.ts'
import { createWriterClient, type WriterClient } from './writer-client.ts'

const OPTIONS = { wait: true, durable: true }

/** A writer whose thread takes nothing back any more. */
function failingRollback(): WriterClient {
  const file = join(temporaryFolder(), 'memory.db')
  const writer = createWriterClient({ file, synchronous: 'normal', busyTimeoutMs: 1, lockWaitMs: 1 })
  onTestFinished(() => writer.close())
  return {
    ...writer,
    async call(command, args) {
      const answer = await writer.call(command, args)
      if (command === 'rollback') throw new MemoryError('UNAVAILABLE', 'the rollback failed')
      return answer
    },
  }
}

async function errorOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => expect.fail('it did not fail'),
    (error) => error,
  )
}

test('what failed first is what a caller sees; what failed in taking it back is its cause', async () => {
  const first = new MemoryError('NOT_FOUND', 'no such node')
  const error = await errorOf(transact(failingRollback(), () => Promise.reject(first), OPTIONS))
  expect(error).toBe(first)
  expect(error.cause).toMatchObject({ message: 'the rollback failed' })
})

test('a cause that is there stays, and what is no error, or frozen, is passed on as it is', async () => {
  const cause = new Error('the reason')
  const known = new MemoryError('CONFLICT', 'not so', { cause })
  for (const first of [known, 'a word', undefined, Object.freeze(new Error('frozen'))])
    expect(await errorOf(transact(failingRollback(), () => Promise.reject(first), OPTIONS))).toBe(first)
  expect(known.cause).toBe(cause)
})

test('what could not even begin is told before what failed for that reason', async () => {
  const writer = failingRollback()
  await writer.call('begin', [OPTIONS])
  const error = await errorOf(transact(writer, () => Promise.reject(new Error('later')), OPTIONS))
  expect(error.message).toContain('within a transaction')
  expect(error.cause).toMatchObject({ message: 'the rollback failed' })
})
