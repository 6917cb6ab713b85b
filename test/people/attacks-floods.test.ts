import { expect, test } from 'vitest'
import { MemoryError } from '../../src/core/errors.ts'
import { callMcp, getTokens, openTarget, statusOf } from '../support/attacker.ts'
import { addPerson, openPerson, PASSWORD, type People } from '../support/people.ts'
import { quickHash } from '../support/test-accounts.ts'

/** Tries to sign in in a new browser. */
async function attempt({ url }: Pick<People, 'url'>, name: string, password = 'wrong password') {
  const person = openPerson(url)
  return person.signIn(await person.go('/auth/login'), name, password)
}

/** A hash that counts, and that a test can hold up. */
function heldHash() {
  const calls: { password: string; salt: Uint8Array }[] = []
  let release = (): void => undefined
  let held: Promise<void> | undefined
  return {
    calls,
    hold(): void {
      held = new Promise((done) => {
        release = done
      })
    },
    release: () => release(),
    async scrypt(password: string, salt: Uint8Array): Promise<Uint8Array> {
      calls.push({ password, salt })
      await held
      return quickHash(password, salt)
    },
  }
}

test('guesses for one account are limited; another one and the right password are not kept out for long', async () => {
  let now = Date.now()
  const server = await openTarget({ now: () => now })
  await addPerson(server, { name: 'bob' })
  for (let at = 0; at < 10; at++) expect((await attempt(server, 'ada')).status).toBe(401)
  const refused = await attempt(server, 'ada', PASSWORD)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await attempt(server, 'bob', PASSWORD)).status).toBe(200)
  now += 15 * 60_000
  expect((await attempt(server, 'ada', PASSWORD)).status).toBe(200)
})

test('guesses of one address are limited, whatever the account', async () => {
  const now = Date.now()
  const server = await openTarget({ now: () => now })
  for (let at = 0; at < 50; at++) expect((await attempt(server, `user${at}`)).status).toBe(401)
  const refused = await attempt(server, 'ada', PASSWORD)
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true])
})

test('many guesses at once are no more than one after another', async () => {
  const hash = heldHash()
  const now = Date.now()
  const server = await openTarget({ scrypt: hash.scrypt, now: () => now })
  hash.calls.length = 0
  for (let round = 0; round < 5; round++)
    await Promise.all(Array.from({ length: 20 }, () => attempt(server, 'ada')))
  expect(hash.calls.length).toBeLessThanOrEqual(10)
})

test('one address does not keep others waiting, even with a right password', async () => {
  const hash = heldHash()
  const server = await openTarget({ scrypt: hash.scrypt })
  hash.calls.length = 0
  hash.hold()
  const attempts = Array.from({ length: 30 }, () => attempt(server, 'ada', PASSWORD))
  const first = await Promise.race(attempts)
  expect(first.status).toBe(429)
  expect(hash.calls.length).toBeLessThanOrEqual(4)
  hash.release()
  const statuses = (await Promise.all(attempts)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0)
  expect((await attempt(server, 'ada', PASSWORD)).status).toBe(200)
})

test('when no more passwords can be checked, people are asked to wait, and clients go on', async () => {
  let isFull = false
  const server = await openTarget({
    async scrypt(password, salt) {
      if (isFull) throw new MemoryError('LIMIT_EXCEEDED', 'too many people are signing in')
      return quickHash(password, salt)
    },
  })
  const tokens = await getTokens(server)
  isFull = true
  for (let at = 0; at < 15; at++) {
    const refused = await attempt(server, 'ada', PASSWORD)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  }
  expect(await statusOf(callMcp(server.url, tokens.access_token))).toBe(200)
  isFull = false
  expect((await attempt(server, 'ada', PASSWORD)).status).toBe(200)
})

test('a user that there is not costs as much work as a wrong password', async () => {
  const hash = heldHash()
  const server = await openTarget({ scrypt: hash.scrypt })
  await server.accounts.users.create({ name: 'without' })
  await addPerson(server, { name: 'bob' })
  await server.accounts.users.disable('bob')
  for (const name of ['ada', 'nobody', 'without', 'bob', '', 'ADA', '../ada', 'x'.repeat(500)]) {
    hash.calls.length = 0
    const { status } = await attempt(server, name)
    expect([name, status, hash.calls.length, hash.calls[0]?.salt.length]).toEqual([name, 401, 1, 16])
  }
  hash.calls.length = 0
  for (const name of ['ada', 'nobody'])
    expect((await attempt(server, name, 'x'.repeat(1100))).status).toBe(401)
  expect(hash.calls.length).toBe(0)
})
