import { expect, test } from 'vitest'
import { ask, openTarget, send } from '../support/attacker.ts'
import { addPerson, formFor, openPerson, PASSWORD, type Person } from '../support/people.ts'

function cookieOf(person: Person, name: string): string | undefined {
  return person.cookies.get(`${name} /`)?.value
}

test('a request that one browser was sent with is not answered by another', async () => {
  const server = await openTarget()
  await addPerson(server, { name: 'eve' })
  const eve = openPerson(server.url)
  const asked = await eve.signIn(await eve.go(ask(server.url).href), 'eve')
  const form = formFor(asked, '/auth/consent/')
  const id = form?.action.split('/').at(-1)

  const ada = openPerson(server.url)
  const login = await ada.go('/auth/login')
  const own = await ada.signIn(login)
  const opened = await ada.go(form?.action ?? '')
  expect([opened.status, opened.forms]).toEqual([400, []])
  const csrf = own.forms[0]?.fields.find(([name]) => name === 'csrf')?.[1] ?? ''
  const sent = await ada.send(form, { decision: 'allow', csrf })
  expect(sent.status).toBe(400)
  expect((await ada.go(`/oauth/authorize/${id}`)).status).toBe(400)
  expect(await server.accounts.grants.list()).toEqual([])
})

test('a person who agreed does not give the code to the browser of another', async () => {
  const server = await openTarget()
  await addPerson(server, { name: 'eve' })
  const ada = openPerson(server.url)
  const asked = await ada.signIn(await ada.go(ask(server.url).href))
  const form = formFor(asked, '/auth/consent/')
  const id = form?.action.split('/').at(-1) ?? ''
  // Agreed, and the redirect back to the authorization server not yet followed.
  const agreed = await send(server.url, form?.action ?? '', {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: [...ada.cookies].map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; '),
    },
    body: new URLSearchParams([...(form?.fields ?? []), ['decision', 'allow']]).toString(),
  })
  expect(agreed.headers.location).toContain(id)
  const eve = openPerson(server.url)
  await eve.go(ask(server.url).href)
  const stolen = await eve.go(`/oauth/authorize/${id}`)
  expect([stolen.status, stolen.headers.get('location')]).toEqual([400, null])
  const own = await ada.go(String(agreed.headers.location))
  expect(new URL(own.url).searchParams.has('code')).toBe(true)
})

test('several requests in one browser do not get mixed up', async () => {
  const server = await openTarget({ spaces: ['team', 'other'] })
  await addPerson(server, { space: 'other' })
  const { url } = server
  const person = openPerson(url)
  await person.signIn(await person.go('/auth/login'))
  const first = await person.go(ask(url, { state: 'first' }).href)
  const second = await person.go(ask(url, { state: 'second', resource: `${url}/s/other/mcp` }).href)
  const [one, two] = [first, second].map((page) => formFor(page, '/auth/consent/'))
  const denied = new URL((await person.send(two, { decision: 'deny' })).url)
  const allowed = new URL((await person.send(one, { decision: 'allow' })).url)
  expect([denied.searchParams.get('state'), denied.searchParams.get('error')]).toEqual([
    'second',
    'access_denied',
  ])
  expect([allowed.searchParams.get('state'), allowed.searchParams.has('code')]).toEqual(['first', true])
  expect((await server.accounts.grants.list()).map(({ space }) => space)).toEqual(['team'])
  expect((await person.send(one, { decision: 'allow' })).status).toBe(400)
})

test('a request is answered at its own page only', async () => {
  const server = await openTarget()
  const person = openPerson(server.url)
  const page = await person.signIn(await person.go(ask(server.url).href))
  const action = formFor(page, '/auth/consent/')?.action ?? ''
  const cookie = [...person.cookies].map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; ')
  for (const id of [
    'other',
    '%0d%0aset-cookie:%20a=b',
    '..%2f..%2fauth%2flogin',
    'x'.repeat(2000),
    '%00',
    '%',
  ])
    expect([id, (await send(server.url, `/auth/consent/${id}`, { headers: { cookie } })).status]).toEqual([
      id,
      400,
    ])
  expect((await send(server.url, action, { headers: { cookie } })).status).toBe(200)
  expect(server.records).toEqual([])
})

test('signing in always makes a new cookie, and what an attacker planted is worth nothing', async () => {
  const server = await openTarget()
  const attacker = openPerson(server.url)
  await attacker.go('/auth/login')
  const planted = cookieOf(attacker, 'remindb_visitor') ?? ''

  const person = openPerson(server.url)
  person.cookies.set('remindb_visitor /', { value: planted, path: '/' })
  person.cookies.set('remindb_login /', { value: 'planted-by-an-attacker', path: '/' })
  await person.signIn(await person.go('/auth/login'))
  const first = cookieOf(person, 'remindb_login')
  expect(first).toMatch(/^\w{40,}$/)
  expect((await attacker.go('/auth/clients')).url).toContain('/auth/login')
  attacker.cookies.set('remindb_login /', { value: planted, path: '/' })
  expect((await attacker.go('/auth/clients')).url).toContain('/auth/login')
  attacker.cookies.set('remindb_login /', { value: 'planted-by-an-attacker', path: '/' })
  expect((await attacker.go('/auth/clients')).url).toContain('/auth/login')

  // Again in the same browser: the cookie before it, which may have been copied, ends.
  const again = await person.send(formFor(await person.go('/auth/login?again'), '/auth/login'), {
    name: 'ada',
    password: PASSWORD,
  })
  expect(again.status).toBe(200)
  expect(cookieOf(person, 'remindb_login')).not.toBe(first)
  expect(await server.accounts.logins.find(first ?? '')).toBeUndefined()
})

test('a cookie of a person who signed out is worth nothing', async () => {
  const server = await openTarget()
  const person = openPerson(server.url)
  const page = await person.signIn(await person.go('/auth/login'))
  const cookie = cookieOf(person, 'remindb_login') ?? ''
  await person.send(formFor(page, '/auth/logout'))
  expect(cookieOf(person, 'remindb_login')).toBeUndefined()
  const thief = openPerson(server.url)
  thief.cookies.set('remindb_login /', { value: cookie, path: '/' })
  expect((await thief.go('/auth/clients')).url).toContain('/auth/login')
})

const ELSEWHERE = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  '\\\\evil.example',
  '/auth/..//evil.example',
  '/auth/../../evil',
  '/auth/%2e%2e//evil.example',
  '/auth/login\r\nset-cookie: a=b',
  '/auth/\t/evil.example',
  '%2f%2fevil.example',
  'javascript:alert(1)',
  '/\t/evil.example',
  ' //evil.example',
  '/auth/clients?x=//evil.example',
  '/auth@evil.example',
  '.evil.example',
  '/oauth/authorize?client_id=x',
  '',
]

test('nobody is sent elsewhere after signing in or out', async () => {
  const server = await openTarget()
  const { url } = server
  for (const next of ELSEWHERE) {
    const person = openPerson(url)
    const login = await person.go(`/auth/login?${new URLSearchParams({ next })}`)
    const form = formFor(login, '/auth/login')
    expect([next, form?.fields.find(([name]) => name === 'next')?.[1]]).toEqual([next, '/auth/clients'])
    const page = await person.send(form, { name: 'ada', password: PASSWORD, next })
    expect([next, page.url]).toEqual([next, `${url}/auth/clients`])
    expect((await person.go(`/auth/login?${new URLSearchParams({ next })}`)).url).toBe(`${url}/auth/clients`)
    const out = await person.send(formFor(page, '/auth/logout'), { next })
    expect([next, new URL(out.url).origin, new URL(out.url).pathname]).toEqual([next, url, '/auth/login'])
  }
  const twice = await openPerson(url).go('/auth/login?next=/auth/clients&next=//evil.example')
  expect(formFor(twice, '/auth/login')?.fields).toContainEqual(['next', '/auth/clients'])
})
