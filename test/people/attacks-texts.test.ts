import { expect, test } from 'vitest'
import { ask, DOCUMENT, documentOf, openTarget, send } from '../support/attacker.ts'
import { skeletonOf } from '../support/parsed-page.ts'
import { addPerson, formFor, openPeople, openPerson, type Page } from '../support/people.ts'
import { quickHash } from '../support/test-accounts.ts'

const SCRIPTS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '</title></style></textarea><script>alert(1)</script>',
  '<!--<script>',
  '&lt;script&gt;',
  'javascript:alert(1)',
  '\u202Egnp.exe\u202C',
  '{{constructor.constructor("alert(1)")()}}',
  '\u2028<base href=//evil.example>',
]

function skeleton({ html }: Page): string[] {
  return skeletonOf({ html, style: '' })
}

/** All pages that show what a client says of itself. */
async function pagesFor(name: string): Promise<Page[]> {
  const server = await openTarget({ documents: { [DOCUMENT]: documentOf({ client_name: name }) } })
  const person = openPerson(server.url)
  const login = await person.go(ask(server.url).href)
  const wrong = await person.signIn(login, name)
  const consent = await person.signIn(login)
  await person.send(formFor(consent, '/auth/consent/'), { decision: 'allow' })
  const clients = await person.go('/auth/clients')
  expect(consent.url).toContain('/auth/consent/')
  expect(server.records).toEqual([])
  return [login, wrong, consent, clients]
}

test('the name of a client is text on every page', async () => {
  const plain = (await pagesFor('Example')).map(skeleton)
  for (const script of SCRIPTS)
    for (const [at, page] of (await pagesFor(script)).entries())
      expect([script, skeleton(page)]).toEqual([script, plain[at]])
})

test('what a request says is text on the page about its mistakes', async () => {
  const server = await openTarget()
  const open = async (changes: Record<string, string>) =>
    skeleton(await openPerson(server.url).go(ask(server.url, changes).href))
  const plain = await open({ client_id: 'unknown' })
  for (const script of SCRIPTS) {
    for (const name of ['client_id', 'redirect_uri'])
      expect([name, script, await open({ [name]: script })]).toEqual([name, script, plain])
    const query = new URLSearchParams({ next: script, error: script, user: script, message: script })
    const login = await openPerson(server.url).go(`/auth/login?${query}`)
    expect(skeleton(login)).toEqual(skeleton(await openPerson(server.url).go('/auth/login')))
  }
})

test('names of users and spaces cannot be markup, and keys are on no page', async () => {
  const server = await openTarget()
  for (const script of SCRIPTS) {
    await expect(server.accounts.users.create({ name: script })).rejects.toThrow()
    await expect(server.accounts.spaces.create(script)).rejects.toThrow()
  }
  await server.accounts.keys.create({
    ...{ user: 'ada', space: 'team', scopes: ['memories:read'], label: '<script>alert("key")</script>' },
  })
  const person = openPerson(server.url)
  const pages = [await person.signIn(await person.go('/auth/login')), await person.go(ask(server.url).href)]
  for (const { html } of pages) expect(html).not.toMatch(/alert|&lt;script/)
})

test('the form for setting up shows what was typed as text', async () => {
  const server = await openPeople({ scrypt: quickHash })
  await server.accounts.setup.begin()
  const person = openPerson(server.url)
  const form = formFor(await person.go('/auth/setup'), '/auth/setup')
  const fields = { password: 'long enough 1', repeat: 'long enough 2' }
  const plain = skeleton(await person.send(form, { ...fields, name: 'x', code: 'y' }))
  for (const script of SCRIPTS.slice(0, 8)) {
    const page = await person.send(form, { ...fields, name: script, code: `y${script}` })
    expect([script, skeleton(page)]).toEqual([script, plain])
  }
})

test('nothing that a client says becomes a header', async () => {
  const evil = 'x\r\nset-cookie: evil=1\r\n\r\n<script>'
  const server = await openTarget({ documents: { [DOCUMENT]: documentOf({ client_name: evil }) } })
  const person = openPerson(server.url)
  for (const changes of [
    { state: evil },
    { state: evil, prompt: 'none' },
    { scope: evil },
    { client_id: evil },
    { resource: evil },
  ]) {
    const { pathname, search } = new URL(ask(server.url, changes).href)
    const { headers } = await send(server.url, `${pathname}${search}`)
    expect(JSON.stringify(headers['set-cookie'] ?? '')).not.toContain('evil=1')
  }
  const back = await person.agree(ask(server.url, { state: evil }).href)
  expect(back.searchParams.get('state')).toBe(evil)
  expect([...person.cookies.keys()].join()).not.toContain('evil')
})

test('a redirect cannot end the policy of the page that asks for consent', async () => {
  for (const uri of [
    'https://a;frame-ancestors/',
    'https://a,default-src/',
    "https://a'unsafe-inline'/",
    'https://[::1]/',
  ]) {
    const documents = { [DOCUMENT]: documentOf({ redirect_uris: [uri] }) }
    const server = await openTarget({ documents })
    const person = openPerson(server.url)
    const login = await person.go(ask(server.url, { redirect_uri: uri }).href)
    const policy = login.headers.get('content-security-policy') ?? ''
    const names = policy.split(';').map((one) => one.trim().split(' ')[0])
    expect([uri, policy.includes(','), names.filter((name) => name === 'frame-ancestors')]).toEqual([
      uri,
      false,
      ['frame-ancestors'],
    ])
    expect([uri, policy.includes('unsafe')]).toEqual([uri, false])
  }
})

test('nobody learns which spaces and users there are', async () => {
  const server = await openTarget({ spaces: ['team', 'secret'] })
  await addPerson(server, { name: 'eve', space: 'secret' })
  const { url } = server
  const without = (text: string, ...names: string[]) =>
    names.reduce((all, name) => all.replaceAll(name, '?'), text)
  const metadata = async (space: string) => {
    const { status, text } = await send(url, `/.well-known/oauth-protected-resource/s/${space}/mcp`)
    return [status, without(text, space)]
  }
  expect(await metadata('secret')).toEqual(await metadata('nothing'))
  const challenge = async (space: string) => {
    const { status, text, headers } = await send(url, `/s/${space}/mcp`, { method: 'POST' })
    return [status, without(text, space), without(String(headers['www-authenticate']), space)]
  }
  expect(await challenge('secret')).toEqual(await challenge('nothing'))
  const consent = async (space: string) => {
    const person = openPerson(url)
    const login = await person.go(ask(url, { resource: `${url}/s/${space}/mcp` }).href)
    const { status, html } = await person.signIn(login)
    // Each page has a secret of its own, and each request an id.
    return [login.status, status, without(html, space).replace(/ value="[^"]*"/g, '')]
  }
  expect(await consent('secret')).toEqual(await consent('nothing'))
  const person = openPerson(url)
  const page = await person.signIn(await person.go(ask(url, { resource: `${url}/mcp` }).href))
  expect(page.html).not.toContain('secret')
  const forced = await person.send(formFor(page, '/auth/consent/'), { decision: 'allow', space: 'secret' })
  expect(forced.status).toBe(400)
  const login = async (name: string) => {
    const stranger = openPerson(url)
    const { status, html } = await stranger.signIn(await stranger.go('/auth/login'), name, 'wrong password')
    return [status, without(html.replace(/value="[\w-]{43}"/, ''), name)]
  }
  expect(await login('ada')).toEqual(await login('nobody'))
})
