import { describe, expect, test } from 'vitest'
import { CLIENTS, CONSENT, LOCAL_CONSENT, LOGIN, SETUP } from '../../../test/support/page-samples.ts'
import { elementsOf, skeletonOf } from '../../../test/support/parsed-page.ts'
import { clientsPage } from './clients.ts'
import { consentPage } from './consent.ts'
import type { HtmlPage } from './html-page.ts'
import { loginPage } from './login.ts'
import { messagePage } from './message.ts'
import { type SetupModel, setupPage } from './setup.ts'

const client = { host: 'claude.ai', name: 'Claude', isVerifiedHost: false }
const account = { user: 'ada', csrf: 'x', next: '/next' }

/** Every page with everything that can be on it. */
const PAGES: Record<string, { model: object; page: (model: never) => HtmlPage }> = {
  login: { model: { ...LOGIN, user: 'ada', error: 'wrong', client }, page: loginPage },
  setup: {
    model: { ...SETUP, user: 'ada', token: 'abc', text: 'wrong' },
    page: ({ text, ...model }: SetupModel & { text: string }) =>
      setupPage({ ...model, error: { text, field: 'password' } }),
  },
  consent: { model: { ...CONSENT, next: '/next', error: 'wrong' }, page: consentPage },
  'consent with a choice of spaces': { model: { ...LOCAL_CONSENT, error: 'wrong' }, page: consentPage },
  clients: {
    model: { ...CLIENTS, revoked: { client: 'Claude', space: 'team' }, error: 'wrong' },
    page: clientsPage,
  },
  message: {
    model: { title: 'a', text: 'b', hint: 'c', link: { href: '/d', label: 'e' }, account },
    page: messagePage,
  },
}

const TEXTS = [
  '"><script>alert(1)</script>',
  `' onfocus='alert(1)' autofocus x='`,
  '</title></style></textarea></option></select><img src=x onerror=alert(1)>',
  '<!-- ',
  ']]><svg/onload=alert(1)>',
  '&lt;script&gt;&quot; onclick=&quot;alert(1)',
  'a\u0000\u001b[2J\r\n\u2028<b>',
  `\u202e${'<a href="javascript:alert(1)">x</a>'.repeat(9)}\u2066`,
]

/** Copies of a model with one of its texts replaced, for each of them. */
function replaced(value: unknown, text: string): unknown[] {
  if (typeof value === 'string') return [text]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    replaced(inner, text).map((other) =>
      Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other },
    ),
  )
}

describe.each(Object.entries(PAGES))('the page %s', (_name, { model, page }) => {
  const skeleton = skeletonOf(page(model as never))

  test.each(TEXTS)('has the same elements and attributes with %j in any field', (text) => {
    const models = replaced(model, text)
    expect(models.length).toBeGreaterThan(4)
    for (const hostile of models) expect(skeletonOf(page(hostile as never))).toEqual(skeleton)
  })
})

test('a name and a host of a client are shown as text, isolated from ours', () => {
  const hostile = { host: 'evil.example', name: '<b>x</b>\u202e', isVerifiedHost: true }
  const isolated = elementsOf(consentPage({ ...CONSENT, client: hostile })).filter(({ tag }) => tag === 'bdi')
  expect(isolated.map(({ text }) => text)).toEqual([
    'evil.example',
    '<b>x</b>\\u{202e}',
    'team',
    'claude.ai',
    'ada',
  ])
})
