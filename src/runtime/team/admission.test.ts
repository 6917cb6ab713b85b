import { expect, test } from 'vitest'
import { createAdmission } from './admission.ts'

function admission() {
  let turns: (() => void)[] = []
  const admit = createAdmission((work) => void turns.push(work))
  const letIn: string[] = []
  return {
    letIn,
    ask(client: string, name: string) {
      const wait = admit(client)
      if (wait) void wait.then(() => letIn.push(name))
      else letIn.push(name)
    },
    async nextTurn() {
      const due = turns
      turns = []
      for (const work of due) work()
      await Promise.resolve()
    },
    isIdle: () => turns.length === 0,
  }
}

test('a request does not wait behind those of another client', async () => {
  const { ask, letIn, nextTurn } = admission()
  for (let at = 0; at < 50; at++) ask('busy', `busy ${at}`)
  await nextTurn()
  ask('other', 'other')
  expect(letIn).toEqual(['busy 0', 'busy 1', 'other'])
})

test('requests of one client are let in one a turn, in the order they came', async () => {
  const { ask, letIn, nextTurn, isIdle } = admission()
  for (const name of ['a', 'b', 'c']) ask('one', name)
  expect(letIn).toEqual(['a'])
  await nextTurn()
  expect(letIn).toEqual(['a', 'b'])
  await nextTurn()
  expect(letIn).toEqual(['a', 'b', 'c'])
  await nextTurn()
  expect(isIdle()).toBe(true)
})

test('clients that wait are let in side by side', async () => {
  const { ask, letIn, nextTurn } = admission()
  for (const client of ['a', 'b']) for (const at of [1, 2, 3]) ask(client, `${client}${at}`)
  await nextTurn()
  await nextTurn()
  expect(letIn).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
})

test('a client that has waited long enough is let in at once', async () => {
  const { ask, letIn, nextTurn } = admission()
  ask('one', 'a')
  await nextTurn()
  ask('one', 'b')
  expect(letIn).toEqual(['a', 'b'])
})
