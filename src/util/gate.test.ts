import { expect, test } from 'vitest'
import { createGate } from './gate.ts'

function works() {
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  const work = (name: number) => async (): Promise<number> => {
    begun.push(name)
    await new Promise<void>((resolve) => void ends.set(name, resolve))
    return name
  }
  return { begun, work, end: (name: number) => ends.get(name)?.() }
}

test('a gate queues work beyond the limit, in order', async () => {
  const { begun, work, end } = works()
  const gate = createGate(2)
  const all = [1, 2, 3, 4].map((name) => gate(work(name)))
  expect(begun).toEqual([1, 2])
  end(2)
  await expect.poll(() => begun).toEqual([1, 2, 3])
  end(1)
  await expect.poll(() => begun).toEqual([1, 2, 3, 4])
  end(3)
  end(4)
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4])
})

test('a gate frees the slot of failed work', async () => {
  const gate = createGate(1)
  const failed = gate(() => Promise.reject(new Error('no')))
  const next = gate(async () => 'yes')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

test('work aborted while it waits in a gate never begins, and blocks no other work', async () => {
  const { begun, work, end } = works()
  const gate = createGate(1)
  const leaving = new AbortController()
  const first = gate(work(1))
  const second = gate(work(2), leaving.signal)
  const third = gate(work(3))
  leaving.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  end(1)
  await expect.poll(() => begun).toEqual([1, 3])
  end(3)
  expect(await Promise.all([first, third])).toEqual([1, 3])
})
