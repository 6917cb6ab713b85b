import { describe, expect, test } from 'vitest'
import { schemaChanges } from './schema-changes.ts'
import { seenLength } from './seen.ts'
import { toolsFound } from './tool-ranks.ts'

describe('schema changes', () => {
  const sent = {
    type: 'object',
    properties: { limit: { type: 'integer', minimum: 1 }, tags: { items: { type: 'string' } } },
  }

  test('are none for the same schema', () => expect(schemaChanges(sent, structuredClone(sent))).toEqual([]))

  test('name keywords that were removed, added and changed, each once', () => {
    const got = {
      type: 'object',
      properties: { limit: { type: 'number' }, tags: { items: { type: 'string', nullable: true } } },
      additionalProperties: false,
    }
    expect(schemaChanges(sent, got)).toEqual(['+additionalProperties', '+nullable', '-minimum', '~type'])
  })

  test('do not take an argument for a keyword', () => {
    expect(schemaChanges(sent, { type: 'object', properties: { limit: sent.properties.limit } })).toEqual([
      '-argument tags',
    ])
  })
})

describe('the length that is seen', () => {
  const text = 'This is your long-term memory.\nSearch before you work, and write what is worth knowing.'

  test('is all of a text that is quoted with other white space', () => {
    expect(seenLength(text, `Servers:\n  ${text.replaceAll('\n', '\n  ')}\nEnd`)).toBe(text.length)
  })

  test('is the beginning where it is cut', () => {
    expect(seenLength(text, `${text.slice(0, 50)}…`)).toBe(50)
  })

  test('is nothing where a few letters stand by chance', () => {
    expect(seenLength(text, 'This is your prompt.')).toBe(0)
  })
})

describe('the tools found', () => {
  const names = ['MemoryFetch', 'MemoryFetchBatch', 'MemoryWrite']
  const ours = new Map(names.map((name) => [`mcp__remindb__${name}`, name]))

  test('are in the order of the answer, between those of others', () => {
    const answer = JSON.stringify([
      { type: 'tool_reference', tool_name: 'mcp__remindb__MemoryWrite' },
      { type: 'tool_reference', tool_name: 'TaskCreate' },
      { type: 'tool_reference', tool_name: 'mcp__remindb__MemoryFetch' },
    ])
    expect(toolsFound(answer, ours)).toEqual(['MemoryWrite', 'TaskCreate', 'MemoryFetch'])
  })

  test('are those mentioned where the answer is prose', () => {
    const answer = 'Loaded mcp__remindb__MemoryWrite, then mcp__remindb__MemoryFetchBatch.'
    expect(toolsFound(answer, ours)).toEqual(['MemoryWrite', 'MemoryFetchBatch'])
  })
})
