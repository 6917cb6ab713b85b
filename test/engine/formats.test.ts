import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectSound, openWorkspace, outlineOf } from '../support/engine.ts'

describe('a folder of files in every format', () => {
  test('is one memory', async () => {
    await using at = await openWorkspace({
      'a.md': '# Markdown\n',
      'b.html': '<h1>Page</h1><p>See [[Markdown]].</p>',
      'c.yaml': 'owner: ops\n',
      'd.json': '{"tags":["a","b","c","d","e"]}',
      'e.jsonl': '{"n":1}\n{"n":2}\n',
      'f.toon': 'port: 8080\n',
      'g.txt': 'Plain.',
      'h.log': 'not read',
    })
    expect((await at.memory.forest()).roots.map(({ type, label, source }) => [source, type, label])).toEqual([
      ['a.md', 'heading', 'Markdown'],
      ['b.html', 'heading', 'Page'],
      ['c.yaml', 'kv', 'owner'],
      ['d.json', 'kv', 'tags'],
      ['e.jsonl', 'list', '2-item list: n: 1'],
      ['f.toon', 'kv', 'port'],
      ['g.txt', 'text', 'Plain.'],
    ])
    await expectSound(at.memory)
  })

  test('keeps its last good nodes of a file that became malformed', async () => {
    await using at = await openWorkspace({ 'a.json': '{"a":1}', 'b.md': 'b\n' })
    const before = await outlineOf(at.memory)
    const { skipped } = await at.compile({ 'a.json': '{"a":\nsecret}' })
    expect(skipped).toMatchObject([{ path: 'a.json', line: 2, reason: 'invalid JSON: expected a value' }])
    expect(await outlineOf(at.memory)).toEqual(before)
  })

  test('reads a file again that has the same text under another extension', async () => {
    await using at = await openWorkspace({ 'a.md': '[1]: a\n' })
    expect((await at.memory.forest()).roots).toEqual([])
    renameSync(join(at.folder, 'a.md'), join(at.folder, 'a.toon'))
    await at.compile()
    expect((await at.memory.forest()).roots).toMatchObject([{ type: 'list', source: 'a.toon' }])
  })

  test('gives no change when it is compiled again', async () => {
    await using at = await openWorkspace({ 'a.html': '<p>a</p>', 'b.json': '[1.10]', 'c.yml': 'a: 1' })
    expect(await at.compile()).toMatchObject({ total: 0, snapshot: null })
  })
})
