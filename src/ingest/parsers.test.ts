import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../test/support/parse-options.ts'
import { fileLink } from '../core/link-file.ts'
import { extensionOf, findParser, PARSERS } from './parsers.ts'

describe('findParser', () => {
  test.each([
    ['a.md', 'markdown', '# A', 'heading'],
    ['a.markdown', 'markdown', '# A', 'heading'],
    ['a.mdx', 'markdown', '# A', 'heading'],
    ['a.txt', 'text', '# A', 'text'],
    ['a.text', 'text', 'A', 'text'],
    ['a.html', 'html', '<h1>A</h1>', 'heading'],
    ['dir.json/a.HTM', 'html', '<h1>A</h1>', 'heading'],
    ['a.yml', 'yaml', 'a: 1', 'kv'],
    ['a.yaml', 'yaml', '- 1', 'list'],
    ['a.json', 'json', '{"a":1}', 'kv'],
    ['a.jsonl', 'jsonl', '{"a":1}', 'list'],
    ['a.b.NDJSON', 'jsonl', '1', 'list'],
    ['a.toon', 'toon', 'a: 1', 'kv'],
  ])('finds one for %s', async (path, name, text, type) => {
    const parser = findParser(path)
    expect(parser?.name).toBe(name)
    expect((await parser?.load())?.(text, parseOptions())).toMatchObject([{ type }])
  })

  test.each(['a.png', 'a', '.md', 'md', 'a.md.bak', 'a.constructor', 'a.'])('finds none for %s', (path) => {
    expect(findParser(path)).toBeUndefined()
  })

  test('and a Markdown link to it is a link', () => {
    for (const extension of Object.keys(PARSERS)) expect(fileLink(`a${extension}`)).toBeDefined()
    expect(fileLink('a.png')).toBeUndefined()
  })

  test('knows every extension in lower case', () => {
    for (const extension of Object.keys(PARSERS))
      expect(extensionOf(`a${extension.toUpperCase()}`)).toBe(extension)
  })
})
