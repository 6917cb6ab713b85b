import { expect, test } from 'vitest'
import { ask, callMcp, getTokens, openTarget, send, statusOf } from '../support/attacker.ts'
import {
  addPerson,
  type Form,
  formFor,
  openPerson,
  PASSWORD,
  type Page,
  type Person,
} from '../support/people.ts'

const FORM = 'application/x-www-form-urlencoded'

function cookiesOf(person: Person, path = '/'): string {
  return [...person.cookies]
    .filter(([, cookie]) => path.startsWith(cookie.path))
    .map(([name, { value }]) => `${name.split(' ')[0]}=${value}`)
    .join('; ')
}

interface Forgery {
  cookie: string
  form: Form | undefined
  changes: Record<string, string>
  /** Of another browser, in which the attacker is signed in. */
  foreignToken: string
}

/** Sends a form in every way in which a page of somebody else can make the browser of a person send it. */
async function forge(url: string, { cookie, form, changes, foreignToken }: Forgery) {
  const { action = '', fields = [] } = form ?? {}
  const body = (csrf: string | undefined): string => {
    const sent = new URLSearchParams(fields.filter(([name]) => name !== 'csrf' && !(name in changes)))
    for (const [name, value] of Object.entries(changes)) sent.set(name, value)
    if (csrf !== undefined) sent.set('csrf', csrf)
    return sent.toString()
  }
  const right = fields.find(([name]) => name === 'csrf')?.[1] ?? ''
  expect(right).not.toBe('')
  const origin = new URL(url).origin
  const post = { 'content-type': FORM, cookie }
  const cases: [string, Record<string, string>, string][] = [
    ['no token', { ...post, origin }, body(undefined)],
    ['an empty token', { ...post, origin }, body('')],
    ['a token cut off', { ...post, origin }, body(right.slice(0, -1))],
    ['the token of another browser', { ...post, origin }, body(foreignToken)],
    ['no token and no origin', post, body(undefined)],
    ['a foreign origin', { ...post, origin: 'https://evil.example' }, body(right)],
    ['an origin of another port', { ...post, origin: 'http://127.0.0.1:1' }, body(right)],
    ['the origin null', { ...post, origin: 'null' }, body(right)],
    ['a body as text', { 'content-type': 'text/plain', cookie, origin }, body(right)],
    ['a body as JSON', { 'content-type': 'application/json', cookie, origin }, `{"csrf":"${right}"}`],
    ['several parts', { 'content-type': 'multipart/form-data; boundary=x', cookie, origin }, body(right)],
    ['no cookies', { 'content-type': FORM, origin }, body(right)],
  ]
  for (const [name, headers, sent] of cases) {
    const answer = await send(url, action, { method: 'POST', headers, body: sent })
    const isToLogin = answer.status === 303 && String(answer.headers.location).startsWith('/auth/login')
    const isSignedOut = action === '/auth/logout' && name === 'no cookies' && answer.status === 200
    const isExpired = action.startsWith('/auth/consent') && name === 'no cookies' && answer.status === 400
    expect([name, answer.status === 403 || isToLogin || isSignedOut || isExpired]).toEqual([name, true])
    expect([name, answer.headers['set-cookie'] ?? []]).toEqual([name, []])
  }
  const asGet = await send(url, `${action}?${body(right)}`, { headers: { cookie } })
  expect(asGet.status === 405 || asGet.status < 400).toBe(true)
}

/** The token for forms in the browser of somebody else. */
async function foreignTokenOf(url: string): Promise<string> {
  const attacker = openPerson(url)
  const page = await attacker.signIn(await attacker.go('/auth/login'), 'eve')
  return tokenIn(page)
}

function tokenIn({ forms }: Page): string {
  return forms.flatMap(({ fields }) => fields).find(([name]) => name === 'csrf')?.[1] ?? ''
}

async function openForgeries() {
  const server = await openTarget()
  await addPerson(server, { name: 'eve' })
  return { server, url: server.url, foreignToken: await foreignTokenOf(server.url) }
}

test('another page cannot agree for a person', async () => {
  const { server, url, foreignToken } = await openForgeries()
  const person = openPerson(url)
  const page = await person.signIn(await person.go(ask(url).href))
  const form = formFor(page, '/auth/consent/')
  await forge(url, {
    ...{ cookie: cookiesOf(person, form?.action), form, foreignToken, changes: { decision: 'allow' } },
  })
  expect(await server.accounts.grants.list()).toEqual([])
  expect(new URL((await person.send(form, { decision: 'allow' })).url).searchParams.has('code')).toBe(true)
})

test('another page cannot sign a person in as somebody else', async () => {
  const { url, foreignToken } = await openForgeries()
  const person = openPerson(url)
  const form = formFor(await person.go('/auth/login'), '/auth/login')
  const changes = { name: 'eve', password: PASSWORD }
  await forge(url, { cookie: cookiesOf(person), form, foreignToken, changes })
  expect((await person.go('/auth/clients')).url).toContain('/auth/login')
})

test('another page cannot sign a person out', async () => {
  const { url, foreignToken } = await openForgeries()
  const person = openPerson(url)
  const page = await person.signIn(await person.go('/auth/login'))
  const form = formFor(page, '/auth/logout')
  await forge(url, { cookie: cookiesOf(person), form, foreignToken, changes: {} })
  expect((await person.go('/auth/clients')).url).not.toContain('/auth/login')
})

test('another page cannot disconnect a client', async () => {
  const { server, url, foreignToken } = await openForgeries()
  const person = openPerson(url)
  const { access_token: token } = await getTokens(server, { person })
  const form = formFor(await person.go('/auth/clients'), '/auth/clients')
  await forge(url, { cookie: cookiesOf(person), form, foreignToken, changes: {} })
  expect(await statusOf(callMcp(url, token))).toBe(200)
})

test('nobody disconnects the client of another', async () => {
  const { server, url } = await openForgeries()
  const { access_token: token } = await getTokens(server)
  const [grant] = await server.accounts.grants.list()
  const eve = openPerson(url)
  await getTokens(server, { person: eve, name: 'eve' })
  const form = formFor(await eve.go('/auth/clients'), '/auth/clients')
  const answer = await eve.send(form, { grant: grant?.id ?? '' })
  expect(answer.html).toContain('There is no such client.')
  expect(await statusOf(callMcp(url, token))).toBe(200)
})

test('a form that is too long is refused', async () => {
  const { url } = await openForgeries()
  const person = openPerson(url)
  const form = formFor(await person.go('/auth/login'), '/auth/login')
  expect((await person.send(form, { name: 'x'.repeat(20_000) })).status).toBe(403)
  expect((await person.send(form, { name: 'ada', password: 'x'.repeat(2000) })).status).toBe(401)
})
