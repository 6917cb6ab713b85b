import { describe, expect, test } from 'vitest'
import { compareReceived } from './received.ts'

const text = `3 hits\n${Array.from({ length: 30 }, (_, at) => `${at + 1}. a line with "quotes"`).join('\n')}`
const json = JSON.stringify({ hits: [{ id: 'a', label: 'One' }] })
const sent = { tool: 'MemorySearch', text, json, isError: false }
const compare = (got: string) => compareReceived(sent, got)

describe('what the model received', () => {
  test('is the text when that is all there is', () => {
    expect(compare(text)).toEqual({
      kind: 'text',
      textLength: text.length,
      jsonLength: json.length,
      gotLength: text.length,
    })
  })

  test('is the text although its ends are trimmed', () => {
    expect(compareReceived({ ...sent, text: `${text}\n` }, text).kind).toBe('text')
  })

  test('is JSON, also when it is indented', () => {
    expect(compare(json).kind).toBe('json')
    expect(compare(JSON.stringify(JSON.parse(json), null, 2)).kind).toBe('json')
  })

  test('is both when the JSON follows the text', () => {
    expect(compare(`${text}\n${json}`).kind).toBe('both')
  })

  test('is the text once when text and JSON are the same', () => {
    expect(compareReceived({ ...sent, text: json }, json).kind).toBe('text')
    expect(compareReceived({ ...sent, text: json }, `${json}\n${json}`).kind).toBe('both')
  })

  test('is JSON when the text stands in it only', () => {
    const wrapped = { ...sent, json: JSON.stringify({ result: text }) }
    expect(compareReceived(wrapped, wrapped.json).kind).toBe('json')
    expect(compareReceived(wrapped, `${text}\n${wrapped.json}`).kind).toBe('both')
  })

  test('is both when the whole result is sent, with a text that is the JSON', () => {
    const got = JSON.stringify({
      content: [{ type: 'text', text: json }],
      structuredContent: JSON.parse(json),
    })
    expect(compareReceived({ ...sent, text: json }, got)).toMatchObject({ kind: 'both', wrapper: 'object' })
  })

  test('is the text in an object when the program sends the whole result', () => {
    const got = JSON.stringify({ content: [{ type: 'text', text }] })
    expect(compare(got)).toMatchObject({ kind: 'text', wrapper: 'object' })
  })

  test('is the text in a tag', () => {
    expect(compare(`<context source="x">\n${text}\n</context>`)).toMatchObject({
      kind: 'text',
      wrapper: '<context>',
    })
  })

  test('is cut when the beginning is there and the rest is not', () => {
    expect(compare(`${text.slice(0, 300)} … ${text.slice(-50)}`).kind).toBe('cut')
  })

  test('is replaced when nothing of it is there', () => {
    expect(compare('The output was saved to a file.').kind).toBe('replaced')
  })

  test('is a refusal when the call did not reach the server', () => {
    expect(compareReceived(undefined, 'Permission denied').kind).toBe('refused')
  })
})
