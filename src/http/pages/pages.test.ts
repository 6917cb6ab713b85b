import { describe, expect, test } from 'vitest'
import { CLIENTS, CONSENT, LOCAL_CONSENT, LOGIN, SAMPLES, SETUP } from '../../../test/support/page-samples.ts'
import { descendants, elementsOf, type ParsedElement, skeletonOf } from '../../../test/support/parsed-page.ts'
import { clientsPage } from './clients.ts'
import { consentPage, EXPIRIES } from './consent.ts'
import type { HtmlPage } from './html-page.ts'
import { loginPage } from './login.ts'
import { PAGE_PATHS } from './paths.ts'
import { redirectTarget } from './redirect-target.ts'
import { setupCode, setupPage } from './setup.ts'

const tagged = (elements: ParsedElement[], ...tags: string[]) =>
  elements.filter(({ tag }) => tags.includes(tag))
const textOf = (page: HtmlPage) => tagged(elementsOf(page), 'body')[0]?.text ?? ''

/** What a form of the page sends: the attributes of its fields and buttons by name. */
function fieldsOf(page: HtmlPage, action: string): [string, Record<string, string>][] {
  const form = tagged(elementsOf(page), 'form').find(({ attributes }) => attributes.action === action)
  expect(form?.attributes.method).toBe('post')
  const named = descendants(form?.children ?? []).filter(({ attributes }) => attributes.name !== undefined)
  return named.map(({ attributes }) => [attributes.name as string, attributes])
}

describe.each(Object.entries(SAMPLES))('the page %s', (name, page) => {
  const elements = elementsOf(page)

  test('is a whole document with a title and one heading, in English', () => {
    expect(page.html).toMatch(/^<!doctype html>\n<html lang="en"/)
    expect(page.html).toContain(`<style>${page.style}</style>`)
    expect(tagged(elements, 'title')[0]?.text).toMatch(/^\S.* · remindb$/)
    expect(tagged(elements, 'h1')).toHaveLength(1)
    expect(page.hasForm).toBe(tagged(elements, 'form').length > 0)
  })

  test('has no script, except the file for the set-up', () => {
    const isSetup = name === 'setup'
    const script = { src: PAGE_PATHS.setupScript, defer: '' }
    expect(tagged(elements, 'script').map(({ attributes }) => attributes)).toEqual(isSetup ? [script] : [])
    expect(page.hasScript).toBe(isSetup)
    expect(skeletonOf(page).filter((tag) => / (on\w+|style)\b/.test(tag))).toEqual([])
  })

  test('links to this server and loads nothing', () => {
    for (const { attributes } of tagged(elements, 'a', 'form'))
      expect(attributes.href ?? attributes.action).toMatch(/^\/auth\//)
    expect(tagged(elements, 'img', 'iframe', 'object', 'embed', 'base', 'video')).toEqual([])
    const [icon, ...others] = tagged(elements, 'link')
    expect(icon?.attributes).toEqual({
      rel: 'icon',
      href: expect.stringMatching(/^data:image\/svg\+xml,%3Csvg/),
    })
    expect(others).toEqual([])
  })

  test('has a label for each field, and refers to nothing that is not there', () => {
    const ids = elements.flatMap(({ attributes }) => attributes.id ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    const references = elements.flatMap(({ attributes }) =>
      ['for', 'aria-describedby', 'aria-labelledby'].flatMap((key) => attributes[key]?.split(' ') ?? []),
    )
    expect(references.filter((id) => !ids.includes(id))).toEqual([])
    const labels = tagged(elements, 'label')
    const labelled = labels.flatMap((label) => [label.attributes.for, ...descendants(label.children)])
    for (const field of tagged(elements, 'input', 'select'))
      if (field.attributes.type !== 'hidden')
        expect(labelled.includes(field) || labelled.includes(field.attributes.id)).toBe(true)
  })
})

describe('signing in', () => {
  test('takes a name and a password, for password managers too', () => {
    expect(fieldsOf(loginPage(LOGIN), '/auth/login')).toMatchObject([
      ['csrf', { type: 'hidden', value: 'csrf-token' }],
      ['next', { type: 'hidden', value: '/auth/clients' }],
      ['name', { type: 'text', autocomplete: 'username', required: '', autofocus: '' }],
      ['password', { type: 'password', autocomplete: 'current-password', required: '' }],
    ])
  })

  test('says what was wrong, and keeps the name but not the password', () => {
    const page = loginPage({ ...LOGIN, user: 'ada', error: 'The name or the password is wrong.' })
    const alert = elementsOf(page).find(({ attributes }) => attributes.role === 'alert')
    expect(alert).toMatchObject({ attributes: { id: 'error' }, text: 'The name or the password is wrong.' })
    const invalid = { 'aria-describedby': 'error', 'aria-invalid': 'true' }
    const fields = new Map(fieldsOf(page, '/auth/login'))
    expect(fields.get('name')).toMatchObject({ value: 'ada', ...invalid })
    expect(fields.get('password')).toMatchObject({ autofocus: '', ...invalid })
    expect(fields.get('password')).not.toHaveProperty('value')
  })

  test('names the client that asks', () => {
    const page = loginPage({ ...LOGIN, client: { host: 'claude.ai', name: 'Claude', isVerifiedHost: true } })
    expect(textOf(page)).toContain('claude.ai wants to use your memory. It calls itself “Claude”.')
  })
})

describe('setting up', () => {
  test('takes the code, a name and a new password twice', () => {
    expect(fieldsOf(setupPage(SETUP), '/auth/setup')).toMatchObject([
      ['csrf', { value: 'csrf-token' }],
      ['code', { value: '', autocomplete: 'off', autofocus: '', 'aria-describedby': 'code-hint' }],
      ['name', { autocomplete: 'username' }],
      ['password', { autocomplete: 'new-password', minlength: '10' }],
      ['repeat', { autocomplete: 'new-password', minlength: '10' }],
    ])
  })

  test('keeps the code after a mistake', () => {
    const page = setupPage({
      ...SETUP,
      token: 'abc',
      user: 'ada',
      error: { text: 'They differ.', field: 'password' },
    })
    expect(new Map(fieldsOf(page, '/auth/setup')).get('code')).toMatchObject({ value: 'abc' })
    const invalid = fieldsOf(page, '/auth/setup').filter(([, attributes]) => 'aria-invalid' in attributes)
    expect(invalid.map(([name]) => name)).toEqual(['password', 'repeat'])
    expect(invalid[0]?.[1]).toMatchObject({ autofocus: '', 'aria-describedby': 'error password-hint' })
  })

  test.each(['abc', ' abc\n', 'https://memory.example.org/auth/setup#abc'])(
    'finds the code in %j',
    (field) => {
      expect(setupCode(field)).toBe('abc')
    },
  )
})

describe('consent', () => {
  test('names the host first and its name second, and offers what was asked for', () => {
    const page = consentPage({ ...CONSENT, expires: '30d' })
    expect(textOf(page)).toMatch(/claude\.ai wants to use your memory It calls itself “Claude”/)
    expect(textOf(page)).toContain('Space team')
    expect(textOf(page)).toContain('You will return to claude.ai.')
    expect(fieldsOf(page, CONSENT.action)).toMatchObject([
      ['csrf', { value: 'csrf-token' }],
      ['scope', { type: 'checkbox', value: 'memories:read', checked: '' }],
      ['scope', { type: 'checkbox', value: 'memories:write', checked: '' }],
      ['expires', {}],
      ['decision', { value: 'deny' }],
      ['decision', { value: 'allow' }],
    ])
    const options = tagged(elementsOf(page), 'option')
    expect(options.map(({ attributes }) => attributes)).toEqual(
      EXPIRIES.map(({ value }) => (value === '30d' ? { value, selected: '' } : { value })),
    )
  })

  test('lets the person choose a space where the address has none', () => {
    const page = consentPage(LOCAL_CONSENT)
    expect(new Map(fieldsOf(page, CONSENT.action)).get('space')).toMatchObject({ required: '' })
    const options = tagged(elementsOf(page), 'option').slice(0, 2)
    expect(options.map(({ text }) => text)).toEqual(['team', 'research (read only)'])
  })

  test('warns where any program on the computer could have asked', () => {
    const warning = /any program here could have made it/
    expect(textOf(consentPage(LOCAL_CONSENT))).toMatch(warning)
    expect(textOf(consentPage(LOCAL_CONSENT))).toContain(
      'You will return to localhost:58135, a program on this computer.',
    )
    expect(textOf(consentPage(CONSENT))).not.toMatch(warning)
  })

  test('warns of a client that no website vouches for', () => {
    const redirect = redirectTarget('cursor://anysphere.cursor-mcp/oauth/callback')
    const client = { host: redirect.host, name: 'Cursor', isVerifiedHost: false }
    const text = textOf(consentPage({ ...CONSENT, redirect, client }))
    expect(text).toContain('A client at cursor://anysphere.cursor-mcp wants to use your memory')
    expect(text).toContain('no website vouches for it')
    expect(text).toContain('You will return to the app that opens links to cursor://anysphere.cursor-mcp.')
  })

  test('says who is signed in, with a way to be somebody else', () => {
    const page = consentPage({ ...CONSENT, next: '/auth/consent/abc' })
    expect(textOf(page)).toContain('Signed in as ada')
    expect(fieldsOf(page, PAGE_PATHS.logout)).toMatchObject([
      ['csrf', { value: 'csrf-token' }],
      ['next', { value: '/auth/consent/abc' }],
    ])
  })
})

describe('connected clients', () => {
  test('are listed with what they may do, since when and until when', () => {
    const page = clientsPage(CLIENTS)
    const [first] = tagged(elementsOf(page), 'li')
    expect(first?.text).toMatch(
      /claude\.ai ?calls itself “Claude Code” Space team May read, write Since 3 Nov 2026 Last used 20 Nov 2026 Ends 1 Feb 2027 Revoke/,
    )
    expect(tagged(elementsOf(page), 'time')[0]).toMatchObject({
      attributes: { datetime: '2026-11-03T09:30:00.000Z' },
      text: '3 Nov 2026',
    })
    expect(textOf(page)).toContain('Last used never')
    expect(textOf(page)).toContain('Ends when revoked')
  })

  test('can each be revoked', () => {
    const forms = tagged(elementsOf(clientsPage(CLIENTS)), 'form').filter(
      ({ attributes }) => attributes.action === PAGE_PATHS.clients,
    )
    const sent = forms.map((form) => tagged(form.children, 'input').map(({ attributes }) => attributes.value))
    expect(sent).toEqual(CLIENTS.grants.map(({ id }) => ['csrf-token', id]))
  })

  test('need the address of a space', () => {
    expect(textOf(clientsPage({ ...CLIENTS, urls: [] }))).toContain('You are not a member of any space.')
    const text = textOf(
      clientsPage({ ...CLIENTS, urls: ['https://a.example/s/a/mcp', 'https://a.example/s/b/mcp'] }),
    )
    expect(text).toMatch(
      /Give the address of a space to .* https:\/\/a.example\/s\/a\/mcp https:\/\/a.example\/s\/b\/mcp/,
    )
  })

  test('are not there at first, and the page says how to connect one', () => {
    const text = textOf(clientsPage({ ...CLIENTS, grants: [], revoked: { client: 'Claude', space: 'team' } }))
    expect(text).toContain('Claude can no longer use “team”.')
    expect(text).toContain('No client is connected yet')
    expect(text).toContain('https://memory.example.org/s/team/mcp')
  })
})
