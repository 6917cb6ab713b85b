import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findResource, RESOURCES } from '../src/mcp/resources/list.ts'
import { compareNames, parsePage, ROOT, readPages } from './support/docs.ts'
import { differences, EXAMPLES } from './support/resources.ts'

const page = parsePage(readFileSync(join(ROOT, 'docs/reference/resources.md'), 'utf8'))

test('every resource has its row in a table, or a heading', () => {
  const rows = page.tables.flatMap(({ rows }) => rows.slice(1).map(([uri = '']) => uri))
  const headings = page.headings.map(({ text }) => text).filter((text) => text.startsWith('remindb://'))
  const documented = [...new Set([...rows, ...headings])]
  const uris = RESOURCES.map(({ uri }) => uri).filter((uri) => uri.startsWith('remindb://'))
  expect(compareNames('resource', documented, uris)).toEqual([])
})

test('every resource of another door is named on a page', () => {
  const text = [...readPages().values()].join('\n')
  const uris = RESOURCES.map(({ uri }) => uri).filter((uri) => uri.startsWith('memory://'))
  expect(uris.filter((uri) => !text.includes(uri))).toEqual([])
})

test('every locked resource has a heading', () => {
  const headings = page.headings.map(({ text }) => text)
  expect(Object.keys(EXAMPLES).filter((uri) => !headings.includes(uri))).toEqual([])
})

test('examples have the keys of the envelopes', () => {
  const examples = page.headings.flatMap(({ text, line }, at) => {
    const end = page.headings[at + 1]?.line ?? Number.POSITIVE_INFINITY
    const fence = page.fences.find((one) => one.info === 'json' && one.line > line && one.line < end)
    return fence && EXAMPLES[text] ? [{ uri: text, json: fence.content }] : []
  })
  expect(examples.length).toBe(14)
  for (const { uri, json } of examples) {
    const told = differences(JSON.parse(json), EXAMPLES[uri])
    // What a client may leave out, and stdio has no address.
    const rest = told.filter((one) => !/client(_meta)? has name,version,protocol|sessions\[0\] has/.test(one))
    expect(rest, uri).toEqual([])
  }
})

test('what says how to read in pages names pages that are there', () => {
  const folder = join(ROOT, 'src/mcp/resources/remindb')
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  const uris = texts.flatMap((text) => text.match(/remindb:\/\/[\w/]+\?\w+=\w+/g) ?? [])
  expect(uris.length).toBeGreaterThan(4)
  for (const uri of uris) expect(findResource(uri)?.resource.uri, uri).toContain('cursor')
})
