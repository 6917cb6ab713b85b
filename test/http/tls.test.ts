import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Certificate, type CertificateFiles, readCertificate } from '../../src/http/certificate.ts'
import type { HttpLimits } from '../../src/http/limits.ts'
import { watchCertificate } from '../../src/http/watch-certificate.ts'
import { makeCertificate } from '../support/certificates.ts'
import { ANSWER, answerWhole, openEvents, openWire, startHttp, statuses } from '../support/http.ts'
import { soon } from '../support/soon.ts'

const DAY_MS = 24 * 60 * 60_000
const LONG_MS = 600_000
let folder: string
let one: CertificateFiles
let two: CertificateFiles

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remindb-tls-'))
  one = makeCertificate(folder, { name: 'one' })
  two = makeCertificate(folder, { name: 'two' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (files: CertificateFiles, now = Date.now()): Promise<Certificate> => readCertificate(files, now)

async function startTls({
  limits = {},
  mcp = answerWhole,
}: {
  limits?: Partial<HttpLimits>
  mcp?: typeof answerWhole
} = {}) {
  return startHttp(mcp, limits, {}, { certificate: await read(one) })
}

interface Asked {
  status: number | undefined
  text: string
}

function ask(url: string, { agent, body }: { agent?: Agent; body?: string } = {}): Promise<Asked> {
  const ca = [readFileSync(one.cert), readFileSync(two.cert)]
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { ca, ...(agent && { agent }), method: body ? 'POST' : 'GET' },
      async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode, text })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** A connection that has agreed on keys, and what it gets. */
function openSecure(port: number, options: object = {}) {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options })
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  const failed = new Promise<NodeJS.ErrnoException>((resolve) => socket.once('error', resolve))
  const secure = new Promise<TLSSocket>((resolve) => socket.once('secureConnect', () => resolve(socket)))
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
  return { socket, secure, failed, ended, received: () => text }
}

describe('HTTPS', () => {
  test('has the URL that clients use, and answers there', async () => {
    const { url, port, errors } = await startTls()
    expect(url).toBe(`https://127.0.0.1:${port}`)
    expect(await ask(`${url}/healthz`)).toEqual({ status: 200, text: 'ok' })
    const { status, text } = await ask(`${url}/mcp`, { body: '{}' })
    expect([status, JSON.parse(text)]).toEqual([200, ANSWER])
    expect(errors).toEqual([])
  })

  test('keeps a connection for several requests', async () => {
    const { url, closed } = await startTls()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let round = 0; round < 5; round++)
      expect((await ask(`${url}/mcp`, { agent, body: 'x'.repeat(100_000) })).status).toBe(200)
    expect(closed).toEqual([])
    agent.destroy()
    await soon(() => closed.length).toBe(1)
  })

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async (version) => {
    const { port } = await startTls()
    const { secure } = openSecure(port, { minVersion: version, maxVersion: version })
    expect((await secure).getProtocol()).toBe(version)
  })

  test('does not speak TLSv1.1', async () => {
    const { port } = await startTls()
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }
    expect((await openSecure(port, old).failed).code).toMatch(/^ERR_SSL_/)
  })

  test('streams events as they come', async () => {
    const events = openEvents()
    const { port } = await startTls({ mcp: async () => events.response })
    const { secure, received } = openSecure(port)
    ;(await secure).write('GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await soon(received).toMatch(/200 OK/)
    events.say('first')
    await soon(received).toMatch(/data: first/)
    events.end()
  })

  test('a request without TLS is told what to do', async () => {
    const { port } = await startTls()
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', body: '{}' })
    expect(response.status).toBe(400)
    expect(JSON.stringify(await response.json())).toContain('https://')
    const wire = openWire(port)
    wire.send('nonsense\r\n\r\n')
    expect(await wire.ended).toBe('')
    // The others do not notice.
    expect((await ask(`https://127.0.0.1:${port}/healthz`)).status).toBe(200)
  })
})

describe('its limits', () => {
  test('one connection too many is refused, and gets a reason', async () => {
    const { port, url } = await startTls({ limits: { maxConnections: 1 } })
    const first = openSecure(port)
    await first.secure
    const text = await openSecure(port).ended
    expect(statuses(text)).toEqual([503])
    expect(text).toMatch(/retry-after/)
    first.socket.destroy()
    await soon(() => ask(`${url}/healthz`).then(({ status }) => status)).toBe(200)
  })

  test('a connection that never agrees on keys is closed in time', async () => {
    const { port } = await startTls({ limits: { requestTimeoutMs: 50 } })
    await openWire(port).ended
  })

  test('a request that never ends is refused in time', async () => {
    const { port } = await startTls({ limits: { requestTimeoutMs: 50 } })
    const { secure, ended } = openSecure(port)
    ;(await secure).write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nx')
    expect(statuses(await ended)).toEqual([408])
  })

  test('closing waits for nobody who has not agreed on keys', async () => {
    const server = await startTls({ limits: { drainTimeoutMs: LONG_MS } })
    const plain = connectPlain(server.port, '127.0.0.1')
    onTestFinished(() => void plain.destroy())
    const ended = new Promise((resolve) => plain.once('close', resolve))
    plain.on('error', () => undefined)
    await new Promise((resolve) => plain.once('connect', resolve))
    const idle = openSecure(server.port)
    await idle.secure
    await server.close()
    await Promise.all([ended, idle.ended])
  })

  test('closing lets an answer end that was begun', async () => {
    const begun = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const mcp = async () => {
      begun.resolve()
      await release.promise
      return Response.json({ late: true })
    }
    const server = await startTls({ mcp, limits: { drainTimeoutMs: LONG_MS } })
    const asked = ask(`${server.url}/mcp`, { body: '{}' })
    await begun.promise
    const closing = server.close()
    release.resolve()
    expect(await asked).toEqual({ status: 200, text: '{"late":true}' })
    await closing
  })
})

describe('files that cannot be used', () => {
  const put = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  test('are named, with what is wrong and what to do', async () => {
    const missing = join(folder, 'missing.pem')
    const empty = put('empty.pem', '')
    const damaged = put('damaged.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
    const cases: [CertificateFiles, string, RegExp][] = [
      [{ cert: missing, key: one.key }, 'NOT_FOUND', /no file .*missing\.pem; check --tls-cert$/],
      [{ cert: one.cert, key: missing }, 'NOT_FOUND', /no file .*missing\.pem; check --tls-key$/],
      [{ cert: folder, key: one.key }, 'INVALID_INPUT', /cannot be read; check --tls-cert$/],
      [{ cert: empty, key: one.key }, 'INVALID_INPUT', /no certificate in PEM form/],
      [{ cert: damaged, key: one.key }, 'INVALID_INPUT', /damaged certificate/],
      [{ cert: one.key, key: one.cert }, 'INVALID_INPUT', /no certificate in PEM form/],
      [{ cert: one.cert, key: one.cert }, 'INVALID_INPUT', /no private key in PEM form/],
      [{ cert: one.cert, key: two.key }, 'INVALID_INPUT', /does not belong to the first certificate/],
    ]
    for (const [files, code, message] of cases)
      await expect(read(files)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  test('are those that have expired, or are not valid yet', async () => {
    await expect(read(one, Date.now() + 3 * DAY_MS)).rejects.toThrow(/expired at 20\d\d-.*; renew it/)
    await expect(read(one, Date.now() - DAY_MS)).rejects.toThrow(/not valid before 20\d\d-.*clock/)
  })

  test('are those with an encrypted key', async () => {
    const keyArguments = ['-newkey', 'rsa:2048', '-passout', 'pass:abcdef']
    const encrypted = makeCertificate(folder, { name: 'encrypted', keyArguments, isEncrypted: true })
    await expect(read(encrypted)).rejects.toThrow(/encrypted; give one without a passphrase/)
  })

  test('are those with a key that is too short', async () => {
    const short = makeCertificate(folder, { name: 'short', keyArguments: ['-newkey', 'rsa:512'] })
    await expect(read(short)).rejects.toThrow(/cannot be used \(.*too small/)
  })
})

test('a certificate knows for which hosts it is', async () => {
  const { isFor, validUntil } = await read(one)
  expect(['localhost', '127.0.0.1', 'memory.example', '10.0.0.1'].map(isFor)).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(validUntil).toBeGreaterThan(Date.now() + DAY_MS)
})

describe('renewing', () => {
  /** A server whose files can be replaced, and what was said of them. */
  async function startRenewable() {
    const files = { cert: join(folder, 'live.crt'), key: join(folder, 'live.key') }
    const put = (from: CertificateFiles) => {
      copyFileSync(from.cert, files.cert)
      copyFileSync(from.key, files.key)
    }
    put(one)
    const certificate = await read(files)
    const server = await startHttp(answerWhole, {}, {}, { certificate })
    const problems: unknown[] = []
    const watching = watchCertificate(files, certificate, {
      now: Date.now,
      everyMs: LONG_MS,
      onRenewed: server.setCertificate,
      onProblem: (error) => problems.push(error),
    })
    onTestFinished(watching.stop)
    const shown = async (): Promise<string> => {
      const { secure, socket } = openSecure(server.port)
      const name = (await secure).getPeerCertificate().subject.CN
      socket.destroy()
      return String(name)
    }
    return { ...server, ...watching, files, put, problems, shown }
  }

  test('takes effect for new connections, and leaves the others alone', async () => {
    const { url, put, check, shown, problems } = await startRenewable()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    await ask(`${url}/healthz`, { agent })
    await check()
    expect(await shown()).toBe('one')
    put(two)
    await check()
    expect(await shown()).toBe('two')
    expect((await ask(`${url}/healthz`, { agent })).status).toBe(200)
    agent.destroy()
    expect(problems).toEqual([])
  })

  test('keeps the old certificate while the new one is broken, and says so once', async () => {
    const { put, files, check, shown, problems } = await startRenewable()
    copyFileSync(two.cert, files.cert)
    await check()
    await check()
    expect(await shown()).toBe('one')
    expect(problems).toEqual([
      expect.objectContaining({ message: expect.stringContaining('does not belong') }),
    ])
    rmSync(files.key)
    await check()
    expect(problems).toHaveLength(2)
    expect(await shown()).toBe('one')
    put(two)
    await check()
    expect(await shown()).toBe('two')
    expect(problems).toHaveLength(2)
  })

  test('happens by itself', async () => {
    const files = { cert: join(folder, 'own.crt'), key: join(folder, 'own.key') }
    copyFileSync(one.cert, files.cert)
    copyFileSync(one.key, files.key)
    const renewed = Promise.withResolvers<Certificate>()
    const options = { now: Date.now, everyMs: 5, onRenewed: renewed.resolve, onProblem: () => undefined }
    const { stop } = watchCertificate(files, await read(files), options)
    onTestFinished(stop)
    copyFileSync(two.cert, files.cert)
    copyFileSync(two.key, files.key)
    expect((await renewed.promise).options.cert).toEqual(readFileSync(two.cert))
  })
})
