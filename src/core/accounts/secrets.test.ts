import { expect, test } from 'vitest'
import { testAccounts } from '../../../test/support/test-accounts.ts'
import { auditAfter } from '../../../test/support/test-audit.ts'

const DAY = 86_400_000

function counted() {
  let made = 0
  return async () => `value ${++made}`
}

test('a secret is made on first use, by one of those who ask at once, and stays', async () => {
  const { accounts } = testAccounts()
  const create = counted()
  const asked = await Promise.all([1, 2, 3].map(() => accounts.secrets.signing(create)))
  const values = asked.map((secrets) => secrets.map(({ value }) => value))
  expect(values[0]).toHaveLength(1)
  expect(values).toEqual([values[0], values[0], values[0]])
  expect(await accounts.secrets.signing(create)).toEqual(asked[0])
  expect((await accounts.secrets.cookies(create))[0]?.value).not.toBe(values[0]?.[0])
})

test('the newest secret is first, and older ones are valid for 30 days', async () => {
  const { accounts, clock, store } = testAccounts()
  const create = counted()
  const values = async () => (await accounts.secrets.signing(create)).map(({ value }) => value)
  await accounts.secrets.signing(create)
  await accounts.secrets.rotate('signing', create)
  expect(await values()).toEqual(['value 2', 'value 1'])
  clock.now += 20 * DAY
  await accounts.secrets.rotate('signing', create)
  expect(await values()).toEqual(['value 3', 'value 2', 'value 1'])
  clock.now += 10 * DAY
  expect(await values()).toEqual(['value 3', 'value 2'])
  clock.now += 20 * DAY
  expect(await values()).toEqual(['value 3'])
  await accounts.secrets.rotate('signing', create)
  expect(await store.read((tx) => tx.secrets('signing'))).toHaveLength(2)
})

test('rotating one kind leaves the other, and is in the audit', async () => {
  const { accounts, store } = testAccounts()
  const create = counted()
  const cookies = await accounts.secrets.cookies(create)
  await accounts.secrets.rotate('signing', create)
  expect(await accounts.secrets.cookies(create)).toEqual(cookies)
  expect(await auditAfter(store, 0)).toEqual([
    { event: 'keys_rotated', userId: '', principalId: '', address: '', subject: 'secret signing' },
  ])
})
