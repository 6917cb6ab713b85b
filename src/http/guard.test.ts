import { describe, expect, test } from 'vitest'
import { MemoryError } from '../core/errors.ts'
import { createGuard, type GuardOptions } from './guard.ts'

interface Sent {
  host?: string
  origin?: string
  url?: string
}

function judge({ host, origin, url }: Sent, options: Partial<GuardOptions> = {}) {
  const headers = { ...(host === undefined ? {} : { host }), ...(origin === undefined ? {} : { origin }) }
  const fallback = host !== undefined && URL.canParse(`http://${host}`) ? `http://${host}/mcp` : undefined
  const request = new Request(url ?? fallback ?? 'http://localhost/mcp', { headers })
  return createGuard({ listenHost: '127.0.0.1', ...options })(request)
}

describe('Host', () => {
  test.each(['localhost', 'LOCALHOST:1', '127.0.0.1', '127.0.0.1:7474', '[::1]', '[::1]:80', 'localhost:80'])(
    'lets %s pass',
    (host) => {
      expect(judge({ host })).toEqual({ kind: 'allowed' })
    },
  )

  test('lets a name pass with the dot at its end that says it is whole', () => {
    const options = { allowedHosts: ['memory.example', 'other.example.:8443'] }
    for (const host of ['localhost.', 'LOCALHOST.:7474', 'memory.example.:1', 'other.example:8443'])
      expect(judge({ host }, options)).toEqual({ kind: 'allowed' })
    expect(judge({ host: 'other.example.:8443' }, options)).toEqual({ kind: 'allowed' })
    expect(judge({ host: 'other.example.:8444' }, options)).toMatchObject({ status: 403 })
    expect(judge({ host: 'evil.example.' }, options)).toMatchObject({ status: 403 })
    expect(judge({ host: 'localhost.:1', origin: 'http://localhost.:1' })).toEqual({ kind: 'allowed' })
    expect(judge({ host: 'localhost.:1', origin: 'http://evil.example.:1' })).toMatchObject({ status: 403 })
  })

  test('lets the address pass that the server listens on', () => {
    expect(judge({ host: '127.0.0.9:7474' })).toMatchObject({ status: 403 })
    expect(judge({ host: '127.0.0.9:7474' }, { listenHost: '127.0.0.9' })).toEqual({ kind: 'allowed' })
    expect(judge({ host: '[::2]:1' }, { listenHost: '::2' })).toEqual({ kind: 'allowed' })
  })

  test('lets configured names pass, with any port or with the configured one', () => {
    const options = { allowedHosts: ['Memory.example', 'other.example:8443'] }
    expect(judge({ host: 'memory.EXAMPLE' }, options)).toEqual({ kind: 'allowed' })
    expect(judge({ host: 'memory.example:99' }, options)).toEqual({ kind: 'allowed' })
    expect(judge({ host: 'other.example:8443' }, options)).toEqual({ kind: 'allowed' })
    expect(judge({ host: 'other.example:8444' }, options)).toMatchObject({ status: 403 })
    expect(judge({ host: 'other.example' }, options)).toMatchObject({ status: 403 })
    expect(judge({ host: 'sub.memory.example' }, options)).toMatchObject({ status: 403 })
  })

  test.each([
    'evil.example',
    'evil.example:7474',
    'localhost.evil.example',
    'evil-localhost',
    '127.0.0.1.evil.example',
    '127.0.0.2',
    '0.0.0.0:7474',
    '[::]:7474',
    '[::ffff:127.0.0.1]',
    '127.1',
    '2130706433',
    '0x7f.1',
  ])('refuses %s, saying what to configure', (host) => {
    expect(judge({ host, url: 'http://localhost/mcp' })).toMatchObject({
      kind: 'refused',
      status: 403,
      message: expect.stringContaining('server.http.allowed_hosts'),
    })
  })

  test.each([
    '',
    'localhost:',
    'localhost:x',
    'localhost:123456',
    ':7474',
    'localhost, localhost',
    'localhost evil',
    'user@localhost',
    'localhost/evil',
    'localhost#',
    'localhost..',
    '.localhost',
    '[::1].',
    '::1',
    '[::1',
    'löcalhost',
    '<script>',
  ])('takes %j for malformed, and does not repeat it', (host) => {
    const verdict = judge({ host, url: 'http://localhost/mcp' })
    expect(verdict).toMatchObject({ kind: 'refused', status: 400 })
    expect(JSON.stringify(verdict)).not.toMatch(/evil|script/)
  })

  test('is needed', () => {
    expect(judge({})).toMatchObject({ kind: 'refused', status: 400 })
  })

  test('must be the one that the URL names', () => {
    const url = 'http://evil.example/mcp'
    expect(judge({ host: 'localhost', url })).toMatchObject({ kind: 'refused', status: 400 })
    expect(judge({ host: 'localhost:81', url: 'http://localhost:82/' })).toMatchObject({ status: 400 })
    expect(judge({ host: 'localhost:80', url: 'http://localhost/' })).toEqual({ kind: 'allowed' })
  })

  test('is cut in messages', () => {
    const verdict = judge({ host: 'x'.repeat(5000), url: 'http://localhost/' })
    expect(verdict).toMatchObject({ status: 403 })
    expect(JSON.stringify(verdict).length).toBeLessThan(400)
  })
})

describe('Origin', () => {
  test.each([
    ['localhost:7474', 'http://localhost:7474'],
    ['localhost:7474', 'HTTP://LocalHost:7474'],
    ['[::1]:7474', 'http://[::1]:7474'],
    ['localhost', 'http://localhost'],
    ['localhost:80', 'http://localhost'],
    ['localhost', 'https://localhost'],
    ['localhost:443', 'https://localhost'],
  ])('of this server passes: at %s, %s', (host, origin) => {
    expect(judge({ host, origin })).toEqual({ kind: 'allowed' })
  })

  test.each([
    ['localhost:7474', 'http://localhost:7475'],
    ['localhost:7474', 'http://localhost'],
    ['localhost:7474', 'http://127.0.0.1:7474'],
    ['localhost:7474', 'https://evil.example'],
    ['localhost:7474', 'http://localhost:7474.evil.example'],
    ['localhost:7474', 'http://localhost:7474/'],
    ['localhost:7474', 'http://user@localhost:7474'],
    ['localhost:7474', 'ftp://localhost:7474'],
    ['localhost:7474', 'null'],
    ['localhost:7474', ''],
    ['localhost:7474', '*'],
    ['localhost:7474', 'http://localhost:7474, http://evil.example'],
    ['localhost:443', 'http://localhost'],
  ])('of others is refused, saying what to configure: at %s, %s', (host, origin) => {
    expect(judge({ host, origin })).toMatchObject({
      kind: 'refused',
      status: 403,
      message: expect.stringContaining('server.http.allowed_origins'),
    })
  })

  test('passes when it is configured, and is echoed unchanged', () => {
    const options = { allowedOrigins: ['https://Board.example:443', 'vscode-webview://abc'] }
    const at = (origin: string) => judge({ host: 'localhost', origin }, options)
    expect(at('https://board.example')).toEqual({ kind: 'allowed', corsOrigin: 'https://board.example' })
    expect(at('vscode-webview://abc')).toEqual({ kind: 'allowed', corsOrigin: 'vscode-webview://abc' })
    expect(at('http://board.example')).toMatchObject({ status: 403 })
    expect(at('https://board.example:444')).toMatchObject({ status: 403 })
    expect(at('https://x.board.example')).toMatchObject({ status: 403 })
  })

  test('that is allowed does not make up for a foreign Host', () => {
    const options = { allowedOrigins: ['https://board.example'] }
    expect(judge({ host: 'evil.example', origin: 'https://board.example' }, options)).toMatchObject({
      status: 403,
      message: expect.stringContaining('allowed_hosts'),
    })
  })

  test('is shown in a printable, cut form', () => {
    const message = JSON.stringify(judge({ host: 'localhost', origin: `\x85${'\u009b'.repeat(900)}` }))
    expect(message).toContain('\\\\x9b')
    expect(message.length).toBeLessThan(300)
  })
})

describe('configured hosts and origins', () => {
  test.each(['*', '*.example', 'http://memory.example', 'memory.example/', 'a b', '', '::1', 'x:y'])(
    'cannot have the host %j',
    (host) => {
      expect(() => createGuard({ listenHost: '127.0.0.1', allowedHosts: [host] })).toThrow(MemoryError)
    },
  )

  test.each([
    '*',
    'null',
    'board.example',
    'https://board.example/',
    'https://*.example',
    'https://u@x',
    'http://x:99999',
    '',
  ])('cannot have the origin %j', (origin) => {
    expect(() => createGuard({ listenHost: '127.0.0.1', allowedOrigins: [origin] })).toThrow(MemoryError)
  })
})
