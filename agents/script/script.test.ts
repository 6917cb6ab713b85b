import { expect, test } from 'vitest'
import type { ModelReply, ModelRequest, OfferedTool } from '../model/conversation.ts'
import type { ServerCall, Traffic } from '../tap/traffic.ts'
import { hasArrived, MARKER, Script } from './script.ts'
import type { Step } from './steps.ts'

const steps: Step[] = [
  {
    kind: 'call',
    name: 'read',
    tool: 'Fetch',
    arguments: (names) => ('id' in names ? { id: 1 } : { anchor: 1 }),
  },
  { kind: 'search', query: 'undo', expected: ['Fetch'] },
]
const fetchTool: OfferedTool = { name: 'x__Fetch', description: '', schema: {} }
const callingTool: OfferedTool = { name: 'tool_call', description: '', schema: {} }
const searchTool: OfferedTool = { name: 'ToolSearch', description: 'or select:name', schema: {} }
const answer: ServerCall = { tool: 'Fetch', text: 'One.', json: undefined, isError: false }

const FETCH = { name: 'Fetch', description: '', inputSchema: { properties: { id: {} } } }

function start() {
  const calls: ServerCall[] = []
  const listed = [FETCH]
  const traffic = (): Traffic => ({
    ...{ protocol: '2025-11-25', instructions: '', calls },
    tools: listed,
  })
  const script = new Script({ steps, fullName: (tool) => `x__${tool}`, traffic })
  const ask = (tools: OfferedTool[], ...results: string[]): Promise<ModelReply> =>
    script.answer(requestOf(tools, results))
  return { script, ask, calls, listed }
}

function requestOf(tools: OfferedTool[], results: string[]): ModelRequest {
  return { prompt: MARKER, tools, results: results.map((text, at) => ({ callId: `call_${at + 1}`, text })) }
}

test('a step is called by the names of the sent schema, and its result is kept', async () => {
  const { script, ask, calls } = start()
  expect(await ask([fetchTool])).toEqual({
    kind: 'call',
    call: { id: 'call_1', name: 'x__Fetch', arguments: { id: 1 } },
  })
  calls.push(answer)
  expect(await ask([fetchTool], 'One.')).toEqual({ kind: 'text', text: 'Done.' })
  expect(script.isEarly).toBe(false)
  expect(script.records).toMatchObject([
    { got: 'One.', sent: answer, isMissing: false },
    { got: undefined, isMissing: true },
  ])
})

test('a script has arrived when the server got every call but searches and mistakes', async () => {
  const { script, ask } = start()
  await ask([fetchTool])
  await ask([fetchTool], 'x__Fetch is not a function')
  expect(hasArrived(script.records)).toBe(false)
  const mistakes = script.records.map((record) => ({ ...record, step: { ...record.step, isError: true } }))
  expect(hasArrived(mistakes)).toBe(true)

  const other = start()
  await other.ask([fetchTool])
  other.calls.push(answer)
  await other.ask([fetchTool], 'One.')
  expect(hasArrived(other.script.records)).toBe(true)
})

test('a call that does not reach the server has no answer of the server', async () => {
  const { script, ask } = start()
  await ask([fetchTool])
  await ask([fetchTool], 'Permission denied')
  expect(script.records[0]).toMatchObject({ got: 'Permission denied', sent: undefined })
})

test('a request that is repeated gets the same call', async () => {
  const { ask } = start()
  expect(await ask([fetchTool])).toEqual(await ask([fetchTool]))
})

test('a hidden tool is loaded by the search tool first', async () => {
  const { script, ask } = start()
  expect(await ask([searchTool])).toMatchObject({
    call: { name: 'ToolSearch', arguments: { query: 'select:x__Fetch' } },
  })
  expect(await ask([searchTool, fetchTool], 'loaded')).toMatchObject({ call: { name: 'x__Fetch' } })
  expect(await ask([searchTool, fetchTool], 'loaded', 'One.')).toMatchObject({
    call: { arguments: { query: 'undo' } },
  })
  expect(script.toolbox.inFirstPrompt).toEqual([])
})

test("a request of the program's own is not a step", async () => {
  const { script } = start()
  await script.answer({ prompt: 'Make a title.', tools: [], results: [] })
  expect(script.firstPrompt).toBeUndefined()
})

test('a tool that stays hidden is called by the calling tool', async () => {
  const { script, ask } = start()
  const tools = [searchTool, callingTool]
  await ask(tools)
  const shown = '<function>{"name":"x__Fetch","description":"Reads.","parametersJsonSchema":{}}</function>'
  expect(await ask(tools, shown)).toMatchObject({
    call: { name: 'tool_call', arguments: { name: 'x__Fetch', arguments: { id: 1 } } },
  })
  expect(script.toolbox.offered.get('Fetch')?.description).toBe('Reads.')
})

test('a model that is asked before the program has tools waits for them, and that is noted', async () => {
  const { script, ask, listed } = start()
  const code: OfferedTool = { name: 'exec', description: 'See ALL_TOOLS.', schema: {} }
  listed.pop()
  const asked = ask([code])
  listed.push(FETCH)
  expect(await asked).toMatchObject({ call: { name: 'exec', code: 'text(await tools.x__Fetch({"id":1}))' } })
  expect(script.isEarly).toBe(true)
})
