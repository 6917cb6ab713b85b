import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { pageResponse, scriptResponse } from './page-response.ts'

const PAGE = { html: '<!doctype html><title>x</title>', style: 'p { margin: 0 }' }
const policy = (...args: Parameters<typeof pageResponse>) =>
  pageResponse(...args).headers.get('content-security-policy') ?? ''

test('a page can load and run nothing, be framed by nobody and is kept nowhere', async () => {
  const response = pageResponse(PAGE, { status: 410 })
  const hash = createHash('sha256').update(PAGE.style).digest('base64')
  expect(response.status).toBe(410)
  expect(await response.text()).toBe(PAGE.html)
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  })
})

test('a page with a form can send it to this server, and one with a script can load it from here', () => {
  expect(policy({ ...PAGE, hasForm: true })).toContain("; form-action 'self';")
  expect(policy({ ...PAGE, hasForm: true })).not.toContain('script-src')
  expect(policy({ ...PAGE, hasScript: true })).toContain("; script-src 'self';")
})

test.each([
  ['https://claude.ai/api/mcp/auth_callback?a=b', 'https://claude.ai'],
  ['http://127.0.0.1:58135/callback', 'http://127.0.0.1:58135'],
  ['http://[::1]:58135/callback', 'http:'],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor:'],
  ['com.example.app:/callback', 'com.example.app:'],
])('a form may lead to %s', (url, source) => {
  expect(policy({ ...PAGE, hasForm: true }, { formAction: [url, url] })).toContain(
    `; form-action 'self' ${source};`,
  )
})

test.each(["https://a.example; script-src 'unsafe-inline'", '*', "'unsafe-inline'", '', 'x y'])(
  'a form does not lead to %j, and the policy stays as it is',
  (url) => {
    const page = { ...PAGE, hasForm: true }
    expect(policy(page, { formAction: [url] })).toBe(policy(page))
  },
)

test('headers can be added and replaced', () => {
  const { headers } = pageResponse(PAGE, {
    headers: { 'set-cookie': 'a=b', 'referrer-policy': 'no-referrer' },
  })
  expect([headers.get('set-cookie'), headers.get('referrer-policy')]).toEqual(['a=b', 'no-referrer'])
})

test('a script is sent as one', async () => {
  const response = scriptResponse('1')
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await response.text()).toBe('1')
})
