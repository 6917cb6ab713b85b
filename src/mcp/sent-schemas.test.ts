import { describe, expect, test } from 'vitest'
import { toolsOf } from './toolsets.ts'

const tools = toolsOf(['all'])
const toolNamed = (name: string) => tools.find((tool) => tool.name === name)

/** Every object inside a schema, itself included. */
function* partsOf(json: unknown): Generator<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null) return
  if (!Array.isArray(json)) yield json as Record<string, unknown>
  for (const part of Object.values(json)) yield* partsOf(part)
}

describe('the schemas that clients are sent', () => {
  test.each(tools.map((tool) => [tool.name, tool] as const))(
    '%s: rule out no names, and give nothing two types',
    (_, { input, output }) => {
      for (const part of partsOf([input.json, output])) {
        expect(part).not.toHaveProperty('additionalProperties')
        expect(Array.isArray(part.type)).toBe(false)
      }
    },
  )
})

const NODE = '25FHWVYdid1'

test.each([
  ['MemoryTree', { root: NODE }, { id: NODE }],
  ['MemoryFetch', { anchor: NODE }, { id: NODE }],
  ['MemoryFetchBatch', { node_ids: [NODE] }, { ids: [NODE] }],
  ['MemoryHistory', { anchor: NODE }, { id: NODE }],
  ['MemoryRelated', { anchor: NODE }, { id: NODE }],
  ['MemoryWrite', { anchor: NODE, payload: 'x' }, { id: NODE, payload: 'x' }],
  ['MemorySummarize', { node_id: NODE, summary: 'x' }, { id: NODE, summary: 'x' }],
  ['MemoryForget', { node_id: NODE }, { id: NODE }],
  ['MemoryPin', { node_id: NODE }, { id: NODE }],
  ['MemoryUnpin', { node_id: NODE }, { id: NODE }],
])('%s still takes %j, and shows only the new name', (name, before, now) => {
  const tool = toolNamed(name)
  expect(tool?.input.parse(before)).toEqual(now)
  expect(tool?.input.parse(now)).toEqual(now)
  expect(tool?.input.json.properties).toMatchObject(
    Object.fromEntries(Object.keys(now).map((argument) => [argument, expect.anything()])),
  )
  const former = Object.keys(before).filter((argument) => !(argument in now))
  for (const argument of former) expect(tool?.input.json.properties).not.toHaveProperty(argument)
})
