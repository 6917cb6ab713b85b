import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { cleanEnvironment, ensureProgramIsBuilt, PROGRAM } from '../support/cli.ts'
import { openWire, requestText, statuses } from '../support/http.ts'
import { noteFolder } from '../support/mcp.ts'
import { serve } from '../support/serving.ts'
import { soon } from '../support/soon.ts'
import { begin, holdCalls, named, openWeb, send, type Web } from '../support/web.ts'

beforeAll(ensureProgramIsBuilt)

const NOTES = { 'a.md': '# Deploys\n\nNever on a Friday.\n' }
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'begin',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}
const call = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'MemorySearch', arguments: { query: 'friday' } },
})
/** Holds calls of tools, and counts those that have begun. */
function countCalls(web: Web) {
  const release = holdCalls(web)
  const { as } = web.served.memory
  let begun = 0
  web.served.memory.as = (...asked) => {
    begun++
    return as(...asked)
  }
  return { release, begun: () => begun }
}
const ids = (count: number) => Array.from({ length: count }, (_, at) => at)

test('a thousand requests at once on stdin are all answered', { timeout: 60_000 }, async () => {
  const cwd = noteFolder(NOTES)
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--source', '.'], {
    cwd,
    env: cleanEnvironment({}),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const answered: unknown[] = []
  createInterface({ input: child.stdout }).on('line', (line) => answered.push(JSON.parse(line).id))
  const messages = [INITIALIZE, ...ids(1000).map(call)]
  child.stdin.write(messages.map((one) => `${JSON.stringify(one)}\n`).join(''))
  await soon(() => answered.length).toBe(1001)
  expect(new Set(answered).size).toBe(1001)
})

test('a thousand requests at once on a socket are all answered', { timeout: 60_000 }, async () => {
  const serving = await serve({ cwd: noteFolder(NOTES) })
  const wire = openWire(Number(new URL(serving.url).port))
  const headers = ['Content-Type: application/json', 'Accept: application/json, text/event-stream']
  wire.send(requestText('POST /mcp', headers, JSON.stringify(INITIALIZE)))
  const [, session] = /mcp-session-id: (\S+)/i.exec(await wire.until(/"id":"begin"/)) ?? []
  const post = (id: number) =>
    requestText('POST /mcp', [...headers, `mcp-session-id: ${session}`], JSON.stringify(call(id)))
  wire.send(ids(1000).map(post).join(''))
  await soon(() => statuses(wire.received()).length).toBe(1001)
  expect(new Set(statuses(wire.received()))).toEqual(new Set([200]))
})

test('of a batch 32 requests run at once, and the others when those are done', async () => {
  const web = await openWeb()
  const session = await begin(web)
  const calls = countCalls(web)
  const response = send(web, { message: ids(80).map(call), headers: named(session) })
  await soon(() => calls.begun()).toBe(32)
  calls.release()
  expect((await (await response).text()).match(/"id":\d+/g)).toHaveLength(80)
})

test('requests that were cancelled count as long as they run', async () => {
  const web = await openWeb()
  const session = await begin(web)
  const calls = countCalls(web)
  const cancel = (requestId: number) => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId },
  })
  await send(web, { message: ids(32).map(call), headers: named(session) })
  await soon(() => calls.begun()).toBe(32)
  await send(web, { message: ids(32).map(cancel), headers: named(session) })
  const more = await send(web, { message: call(100), headers: named(session) })
  expect(calls.begun()).toBe(32)
  calls.release()
  expect(await more.text()).toContain('"id":100')
})
