import { expect, test } from 'vitest'
import { callMcp, getTokens, openTarget, send, statusOf } from '../support/attacker.ts'
import { formFor, openPeople, openPerson, PASSWORD, type People } from '../support/people.ts'
import { quickHash } from '../support/test-accounts.ts'

const FIELDS = { name: 'root', password: PASSWORD, repeat: PASSWORD }

async function openSetup(now: () => number = Date.now) {
  const server = await openPeople({ scrypt: quickHash, now })
  const code = (await server.accounts.setup.begin()) ?? ''
  return { server, code }
}

async function complete({ url }: Pick<People, 'url'>, code: string, changes: Record<string, string> = {}) {
  const person = openPerson(url)
  return person.send(formFor(await person.go('/auth/setup'), '/auth/setup'), { ...FIELDS, code, ...changes })
}

async function adminsOf({ accounts }: People): Promise<string[]> {
  return (await accounts.users.list()).filter(({ isAdmin }) => isAdmin).map(({ name }) => name)
}

test('a setup link works once', async () => {
  const { server, code } = await openSetup()
  const person = openPerson(server.url)
  const form = formFor(await person.go('/auth/setup'), '/auth/setup')
  const other = openPerson(server.url)
  const late = formFor(await other.go('/auth/setup'), '/auth/setup')
  expect((await person.send(form, { ...FIELDS, code })).url).toBe(`${server.url}/auth/clients`)
  expect((await other.send(late, { ...FIELDS, code, name: 'evil' })).status).toBe(410)
  expect((await person.send(form, { ...FIELDS, code, name: 'evil' })).status).toBe(410)
  expect((await other.go('/auth/setup')).status).toBe(410)
  expect(await adminsOf(server)).toEqual(['root'])
})

test('a setup link expires', async () => {
  let now = Date.now()
  const { server, code } = await openSetup(() => now)
  const person = openPerson(server.url)
  const form = formFor(await person.go('/auth/setup'), '/auth/setup')
  now += 30 * 60_000
  expect((await person.go('/auth/setup')).status).toBe(410)
  expect((await person.send(form, { ...FIELDS, code })).status).toBe(410)
  expect(await adminsOf(server)).toEqual([])
})

test('of two who complete the setup at once, one is the administrator', async () => {
  const { server, code } = await openSetup()
  const people = Array.from({ length: 8 }, () => openPerson(server.url))
  const forms = await Promise.all(
    people.map(async (person) => formFor(await person.go('/auth/setup'), '/auth/setup')),
  )
  const pages = await Promise.all(
    people.map((person, at) => person.send(forms[at], { ...FIELDS, code, name: `root${at}` })),
  )
  const won = pages.filter(({ url }) => url.endsWith('/auth/clients'))
  expect(won).toHaveLength(1)
  for (const { status } of pages.filter((page) => page !== won[0])) expect(status).toBe(410)
  expect(await adminsOf(server)).toHaveLength(1)
  expect(await server.accounts.users.list()).toHaveLength(1)
})

test('a wrong code makes nobody an administrator, is not hashed for, and is not tried often', async () => {
  const now = Date.now()
  const { server, code } = await openSetup(() => now)
  const wrong = ['', 'x', code.slice(1), `${code}x`, code.toLowerCase(), '#', '%', '\0', 'x'.repeat(5000)]
  for (const one of wrong) expect([one, (await complete(server, one)).status]).toEqual([one, 400])
  for (let at = wrong.length; at < 20; at++) expect((await complete(server, 'y')).status).toBe(400)
  const refused = await complete(server, code)
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect(await adminsOf(server)).toEqual([])
})

test('another page cannot complete the setup', async () => {
  const { server, code } = await openSetup()
  const person = openPerson(server.url)
  const form = formFor(await person.go('/auth/setup'), '/auth/setup')
  const stranger = openPerson(server.url)
  const foreign = formFor(await stranger.go('/auth/setup'), '/auth/setup')?.fields.find(
    ([name]) => name === 'csrf',
  )?.[1]
  for (const csrf of ['', foreign ?? ''])
    expect((await person.send(form, { ...FIELDS, code, csrf })).status).toBe(403)
  const cookie = [...person.cookies].map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; ')
  const body = new URLSearchParams([
    ...(form?.fields ?? []),
    ...Object.entries({ ...FIELDS, code }),
  ]).toString()
  for (const origin of ['https://evil.example', 'null']) {
    const headers = { origin, cookie, 'content-type': 'application/x-www-form-urlencoded' }
    expect((await send(server.url, '/auth/setup', { method: 'POST', headers, body })).status).toBe(403)
  }
  expect((await send(server.url, `/auth/setup?${body}`, { headers: { cookie } })).status).toBe(200)
  expect(await adminsOf(server)).toEqual([])
})

test('until the setup is complete, everything else works', async () => {
  const server = await openTarget()
  await server.accounts.setup.begin()
  const tokens = await getTokens(server)
  expect(await statusOf(callMcp(server.url, tokens.access_token))).toBe(200)
})

test('an administrator who is made on the host closes the setup', async () => {
  const { server, code } = await openSetup()
  const person = openPerson(server.url)
  const form = formFor(await person.go('/auth/setup'), '/auth/setup')
  await server.accounts.users.create({ name: 'root', isAdmin: true, password: PASSWORD })
  expect((await person.send(form, { ...FIELDS, code, name: 'evil' })).status).toBe(410)
  expect(await server.accounts.setup.begin()).toBeUndefined()
  expect(await adminsOf(server)).toEqual(['root'])
})

test('a setup that fails leaves its link as it was', async () => {
  const { server, code } = await openSetup()
  for (const changes of [
    { password: 'short', repeat: 'short' },
    { repeat: 'another one' },
    { name: 'No Name' },
  ])
    expect((await complete(server, code, changes)).status).toBe(400)
  expect((await complete(server, code)).url).toBe(`${server.url}/auth/clients`)
})

test('the code is in no address, no answer to others and no log', async () => {
  const { server, code } = await openSetup()
  const page = await openPerson(server.url).go('/auth/setup')
  const script = await send(server.url, '/auth/setup.js')
  expect(`${page.html}${script.text}${JSON.stringify(server.records)}`).not.toContain(code)
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
})
