import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, get, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { gather, listenOnLoopback } from '../loopback.ts'
import { refuseInternet } from './no-internet.ts'

const folder = mkdtempSync(join(tmpdir(), 'remindb-proxy-'))
const log = join(folder, 'refused-hosts.txt')

/** As a program asks that was given a proxy. */
function askBy(proxy: string, url: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = get(`${proxy}/`, { path: url }, async (answer) =>
      resolve({ status: answer.statusCode, body: (await gather(answer)).toString() }),
    )
    asked.on('error', reject)
  })
}

test('programs reach this machine, and no other', async () => {
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await using model = await listenOnLoopback(createServer((_incoming, outgoing) => outgoing.end('model')))
  await using proxy = await refuseInternet(log)
  expect(await askBy(proxy.url, `${model.url}/v1`)).toEqual({ status: 200, body: 'model' })
  expect(await askBy(proxy.url, 'http://telemetry.example/v1')).toEqual({ status: 403, body: '' })
  const tunnel = request(proxy.url, { method: 'CONNECT', path: 'updates.example:443' })
  const answer = await new Promise<IncomingMessage>((resolve) => tunnel.on('connect', resolve).end())
  expect(answer.statusCode).toBe(403)
  expect(readFileSync(log, 'utf8')).toBe('telemetry.example\nupdates.example\n')
})
