import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compileJson } from '../../src/core/compile/compile-json.ts'
import { compiledLines } from '../../src/core/compile/compile-text.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { flat, openWorkspace, stateOf } from '../support/engine.ts'

async function filesWith(memory: Memory, query: string): Promise<string[]> {
  const { hits } = await memory.search({ query, limit: 100 })
  return [...new Set(hits.map(({ path }) => path))].sort()
}

test('invalid front matter costs a warning, never the body', async () => {
  await using at = await openWorkspace()
  const result = await at.compile({
    'meeting.md': '---\ntitle: Meeting: Q3\ntags: [q3, planning]\n---\n# Agenda\n\nTalk about pelicans.\n',
    'me.md': '---\nauthor: @me\n---\nPelicans again.\n',
    'twice.md': '---\na: 1\na: 2\n---\nPelicans too.\n',
    'fine.md': '---\ntitle: Fine\n---\nNo birds.\n',
  })
  expect(result.skipped).toEqual([])
  expect(result.warnings.map(({ path, line }) => [path, line])).toEqual([
    ['me.md', 2],
    ['meeting.md', 2],
    ['twice.md', 3],
  ])
  for (const { reason } of result.warnings)
    expect(reason).toMatch(/^invalid YAML.*; the front matter is kept as text$/)
  expect(await filesWith(at.memory, 'pelicans')).toEqual(['me.md', 'meeting.md', 'twice.md'])
  expect(await filesWith(at.memory, 'tag:planning')).toEqual(['meeting.md'])
  expect(compiledLines(described(result), { historyOf: String })).toContain('warnings: 3')
  // Nothing was read, so there is nothing to warn of.
  expect((await at.compile()).warnings).toEqual([])
})

test('a tag finds what is tagged below it', async () => {
  await using at = await openWorkspace({
    'text.md': 'Call them. #todo/urgent/today\n',
    'front.md': '---\ntags: [todo/later]\n---\nx\n',
    'dash.md': 'A #todo-list of its own.\n',
    'deep.md': `#${'a/'.repeat(20_000)}b\n`,
  })
  expect(await filesWith(at.memory, 'tag:todo')).toEqual(['front.md', 'text.md'])
  expect(await filesWith(at.memory, 'tag:todo/urgent')).toEqual(['text.md'])
  expect(await filesWith(at.memory, 'tag:urgent')).toEqual([])
  expect(await filesWith(at.memory, 'tag:a/a/a')).toEqual(['deep.md'])
})

test('tags in front matter and in the text are found by tag:', async () => {
  await using at = await openWorkspace({
    'list.md': '---\ntags:\n  - Garten\n  - project/alpha\n---\nx\n',
    'flow.md': '---\ntags: [garten, "#quoted"]\n---\nx\n',
    'commas.md': '---\ntags: garten, other\n---\nx\n',
    'single.md': '---\ntag: garten\n---\nx\n',
    'inline.md': 'Some #garten and #project/alpha, (#größe) and #日本.\n',
    'list-items.md': '- buy #garten\n',
    'plain.txt': 'a plain text with #garten\n',
    'none.md': '# garten\n\nissue#garten, `#garten`, #123, https://x.org/#garten\n\n```\n#garten\n```\n',
  })
  const { memory } = at
  expect(await filesWith(memory, 'tag:garten')).toEqual([
    'commas.md',
    'flow.md',
    'inline.md',
    'list-items.md',
    'list.md',
    'plain.txt',
    'single.md',
  ])
  expect(await filesWith(memory, 'tag:project/alpha')).toEqual(['inline.md', 'list.md'])
  expect(await filesWith(memory, 'tag:quoted')).toEqual(['flow.md'])
  expect(await filesWith(memory, 'tag:größe')).toEqual(['inline.md'])
  expect(await filesWith(memory, 'tag:日本')).toEqual(['inline.md'])
  expect(await filesWith(memory, 'tag:123')).toEqual([])
})

test('plain text and MDX are read, and what is not read is counted', async () => {
  await using at = await openWorkspace()
  const result = await at.compile({
    'a.txt': 'First paragraph,\nstill the first.\n\n# not a heading\n',
    'b.text': 'Other.\n',
    'c.mdx':
      'import { Chart } from "./chart.js"\n\n# Sales\n\n<Chart data={[1, 2]}>\n  **Up** {2 + 3}\n</Chart>\n\nGood year.\n',
    'i/1.png': '',
    'i/2.PNG': '',
    'i/3.png': '',
    'map.canvas': '{}',
    'x.zip': '',
    Makefile: 'all:',
  })
  expect(result.skipped).toEqual([])
  expect(flat(await stateOf(at.memory)).map(({ type, text }) => `${type}: ${text}`)).toEqual(
    expect.arrayContaining([
      'text: First paragraph,\nstill the first.',
      'text: # not a heading',
      'text: Other.',
      'heading: Sales',
      'text: Good year.',
    ]),
  )
  expect(compileJson(described(result)).unread).toEqual({ png: 3, '': 1, canvas: 1, zip: 1 })
  expect(compiledLines(described(result), { historyOf: String })).toContain(
    '6 files skipped: 3 png, 1 without extension, 1 canvas, 1 zip',
  )
})

test('a symbolic link to a file of the folder is one document, not two', async () => {
  await using at = await openWorkspace({ 'z/real.md': '# Real\n' })
  symlinkSync('z/real.md', join(at.folder, 'link.md'))
  await at.compile()
  expect((await at.memory.files()).roots.flatMap(({ files }) => files.map(({ path }) => path))).toEqual([
    'z/real.md',
  ])
})

/** As the runtime has it. */
function described<T>(result: T): T & { root: string; overlays: number } {
  return { ...result, root: '/', overlays: 0 }
}
