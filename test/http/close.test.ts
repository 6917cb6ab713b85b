import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import { createGuard } from '../../src/http/guard.ts'
import { openHttpServer } from '../../src/http/server.ts'
import { answerWhole, openEvents, openWire, POST, requestText, startHttp, statuses } from '../support/http.ts'

const LONG_MS = 600_000

test('closing ends idle connections at once, and those in the middle of a header', async () => {
  const server = await startHttp(answerWhole, { drainTimeoutMs: LONG_MS })
  const [used, begun, silent] = [openWire(server.port), openWire(server.port), openWire(server.port)]
  used.send(POST)
  await used.until(/"result"/)
  begun.send('POST /mcp HTTP/1.1\r\nHost: loc')
  await silent.connected
  await server.close()
  expect(statuses(await used.ended)).toEqual([200])
  expect(await begun.ended).toBe('')
  expect(await silent.ended).toBe('')
})

test('closing lets a response end that was begun, and says that the connection ends with it', async () => {
  const begun = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const server = await startHttp(
    async () => {
      begun.resolve()
      await release.promise
      return Response.json({ late: true })
    },
    { drainTimeoutMs: LONG_MS },
  )
  const wire = openWire(server.port)
  wire.send(POST)
  await begun.promise
  const closing = server.close()
  release.resolve()
  const text = await wire.ended
  expect(text).toMatch(/connection: close/i)
  expect(text).toContain('"late":true')
  await closing
})

test('closing waits for a stream that is ended meanwhile', async () => {
  const events = openEvents()
  const server = await startHttp(async () => events.response, { drainTimeoutMs: LONG_MS })
  const wire = openWire(server.port)
  wire.send(requestText('GET /mcp'))
  await wire.until(/200 OK/)
  const closing = server.close()
  events.say('goodbye')
  events.end()
  await closing
  expect(await wire.ended).toMatch(/goodbye[\s\S]*\r\n0\r\n\r\n$/)
})

test('closing cuts off a stream that nobody ends', async () => {
  const events = openEvents()
  const server = await startHttp(async () => events.response, { drainTimeoutMs: 50 })
  const wire = openWire(server.port)
  wire.send(requestText('GET /mcp'))
  await wire.until(/200 OK/)
  await server.close()
  await wire.ended
  expect(events.isCancelled()).toBe(true)
  expect(server.closed).toHaveLength(1)
  expect(server.errors).toEqual([])
})

test('closing twice is closing once, and the port is free then', async () => {
  const server = await startHttp()
  await Promise.all([server.close(), server.close()])
  await server.close()
  const other = createServer()
  onTestFinished(() => void other.close())
  await new Promise<void>((resolve, reject) => {
    other.once('error', reject)
    other.listen(server.port, '127.0.0.1', resolve)
  })
})

const app = createApp({ mcp: answerWhole, guard: createGuard({ listenHost: '127.0.0.1' }) })

test('the URL is the one that clients use', async () => {
  for (const host of ['127.0.0.1', 'localhost']) {
    const server = await openHttpServer({ app, address: { host, port: 0 } })
    onTestFinished(() => server.close())
    expect(server.url).toBe(`http://${host}:${server.port}`)
    expect(await (await fetch(`${server.url}/healthz`)).text()).toBe('ok')
  }
})

test('an address in use is said to be, with what to do', async () => {
  const { port } = await startHttp()
  await expect(openHttpServer({ app, address: { host: '127.0.0.1', port } })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(new RegExp(`127.0.0.1:${port} is in use.*--listen`)),
  })
})

test('an address that other machines reach is refused before anything listens', async () => {
  await expect(openHttpServer({ app, address: { host: '0.0.0.0', port: 0 } })).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: expect.stringContaining('reachable from other machines'),
  })
})
