import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeCertificate, makeCertificate } from '../support/certificates.ts'
import { ensureProgramIsBuilt, remindb } from '../support/cli.ts'
import { temporaryFolder } from '../support/engine.ts'
import { noteFolder } from '../support/mcp.ts'
import { serve } from '../support/serving.ts'
import { createTeamFolder } from '../support/team-process.ts'

beforeAll(ensureProgramIsBuilt)

const NOTES = { 'a.md': '# Deploys\n\nNever on a Friday.\n' }
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'by-hand', version: '1' } },
}

function post(url: string, { cert }: MadeCertificate) {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const asked = request(url, { method: 'POST', ca: readFileSync(cert), headers })
      asked.on('error', reject)
      asked.on('response', async (response) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: await text(response) }),
      )
      asked.end(JSON.stringify(INITIALIZE))
    },
  )
}

const flagsOf = ({ cert, key }: MadeCertificate) => ['--tls-cert', cert, '--tls-key', key]

test('one memory is served by https, at the URL that is printed', async () => {
  const made = makeCertificate(temporaryFolder())
  const args = ['--source', '.', '--listen', '127.0.0.1:0', ...flagsOf(made)]
  const { url, stderr } = await serve({ cwd: noteFolder(NOTES), args })
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/mcp$/)
  const answer = await post(url, made)
  expect(answer.status).toBe(200)
  expect(answer.text).toContain('"serverInfo"')
  expect(answer.headers).not.toHaveProperty('strict-transport-security')
  expect(stderr()).toMatch(/serve: certificate until=20/)
})

test('spaces are served by https, and so is what tells clients where to get a key', async () => {
  const { dir } = await createTeamFolder()
  const made = makeCertificate(temporaryFolder())
  const env = { REMINDB_TLS_CERT: made.cert, REMINDB_TLS_KEY: made.key }
  const args = ['--spaces', dir, '--auth', 'keys', '--listen', '127.0.0.1:0']
  const { url, stdout } = await serve({ cwd: dir, args, env })
  const { origin } = new URL(url)
  expect(stdout()).toMatch(/ at https:\S+\/mcp/)
  const { status, headers } = await post(`${origin}/s/red/mcp`, made)
  expect(status).toBe(401)
  expect(headers['www-authenticate']).toContain(`resource_metadata="${origin}/.well-known/`)
})

test('a public URL of https makes browsers stay with it; a certificate for another name is reported', async () => {
  const { dir } = await createTeamFolder()
  const made = makeCertificate(temporaryFolder())
  const listen = ['--listen', '127.0.0.1:0', '--public-url', 'https://memory.example']
  const args = ['--spaces', dir, '--auth', 'keys', ...listen, ...flagsOf(made)]
  const { stderr } = await serve({ cwd: dir, args })
  const port = /127\.0\.0\.1:(\d+)/.exec(stderr())?.[1]
  const { headers } = await post(`https://127.0.0.1:${port}/mcp`, made)
  expect(headers['strict-transport-security']).toBe('max-age=31536000')
  expect(stderr()).toContain('the certificate is not for the host of --public-url host=memory.example')
})

interface Refused {
  isUnprivileged?: boolean
  env?: Record<string, string>
}

describe('it does not start', () => {
  const refuse = (args: string[], options: Refused = {}) => {
    const words = ['serve', '--source', '.', '--transport', 'http', '--listen', '127.0.0.1:0', ...args]
    const cwd = noteFolder(NOTES)
    const { code, stdout, stderr } = remindb(words, { cwd, ...options })
    expect([code, stdout]).toEqual([1, ''])
    expect(existsSync(join(cwd, '.remindb'))).toBe(false)
    return stderr
  }

  test('with one file of the two', () => {
    const { cert, key } = makeCertificate(temporaryFolder())
    for (const args of [
      ['--tls-cert', cert],
      ['--tls-key', key],
    ])
      expect(refuse(args)).toContain('--tls-cert and --tls-key belong together; give both, or neither')
  })

  test('with a variable that a script failed to fill', () => {
    expect(refuse([], { env: { REMINDB_TLS_CERT: '', REMINDB_TLS_KEY: '' } })).toContain('REMINDB_TLS_CERT')
  })

  test('with a path in the environment that depends on the current folder', () => {
    const env = { REMINDB_TLS_CERT: 'one.crt', REMINDB_TLS_KEY: 'one.key' }
    expect(refuse([], { env })).toContain('must be absolute paths')
  })

  test('with files that are missing, or do not belong together', () => {
    const folder = temporaryFolder()
    const [one, two] = [makeCertificate(folder, { name: 'one' }), makeCertificate(folder, { name: 'two' })]
    expect(refuse(flagsOf({ ...one, key: 'missing.key' }))).toMatch(
      /there is no file \/.*missing\.key; check --tls-key/,
    )
    expect(refuse(flagsOf({ ...one, key: two.key }))).toContain('does not belong to the first certificate')
  })

  test('with a key that this user may not read', () => {
    const made = makeCertificate(temporaryFolder())
    chmodSync(made.key, 0)
    expect(refuse(flagsOf(made), { isUnprivileged: true })).toMatch(/this user may not read .*\.key/)
  })

  test('with a public URL of http', async () => {
    const { dir } = await createTeamFolder()
    const made = makeCertificate(temporaryFolder())
    const args = ['serve', '--spaces', dir, '--auth', 'keys', '--listen', '127.0.0.1:0', ...flagsOf(made)]
    const { code, stderr } = remindb([...args, '--public-url', 'http://memory.example'], { cwd: dir })
    expect([code, stderr]).toEqual([1, expect.stringContaining('speaks only https')])
  })
})
