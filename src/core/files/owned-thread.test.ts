import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileMemoryOf } from './file-memory.ts'
import { ownedThread, threadIdOf } from './owned-thread.ts'

const NODE = { id: 'm', scope: 'perThread' } as const
const redact = (text: string): string => text

/** Few characters, those that a stored thread is made of: names that could be taken for others come up often. */
const name = fc.string({ unit: fc.constantFrom('0', '1', '2', ':', ' ', 'a', '/'), maxLength: 8 })

test('what owners and callers without one name is one thread only where both are the same', () => {
  const choice = fc.record({ owner: fc.option(name, { nil: undefined }), threadId: name })
  fc.assert(
    fc.property(choice, choice, (one, other) => {
      fc.pre(one.threadId.trim() !== '' && other.threadId.trim() !== '')
      const [a, b] = [one, other].map((given) => fileMemoryOf(NODE, { ...given, redact }).thread)
      const isSame = one.owner === other.owner && one.threadId.trim() === other.threadId.trim()
      expect(a === b).toBe(isSame)
    }),
    { numRuns: 5000 },
  )
})

test('the stored thread of an owner, given as an id, is another thread', () => {
  const stored = ownedThread('ada/k1', 't')
  expect(stored).toBe(' 6:ada/k1:t')
  for (const owner of [undefined, 'ada/k1', 'bob/k2'])
    for (const threadId of [stored, stored.trim()])
      expect(fileMemoryOf(NODE, { owner, threadId, redact }).thread).not.toBe(stored)
})

test('a thread has the id that was given for it', () => {
  fc.assert(
    fc.property(name, name, (owner, id) => {
      const threadId = id.trim()
      expect(threadIdOf(ownedThread(owner, threadId))).toBe(threadId)
      expect(threadIdOf(threadId)).toBe(threadId)
    }),
  )
})
