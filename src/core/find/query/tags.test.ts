import { describe, expect, test } from 'vitest'
import { frontMatterBlocks, splitFrontMatter } from '../../../ingest/parse/markdown/front-matter.ts'
import { preambleTags, tagWord } from './tags.ts'

describe('the tags of front matter', () => {
  test.each([
    ['a list', 'tags:\n- a\n- b c\ntitle: T', ['a', 'b c']],
    ['one line with commas', 'tags: a, b c', ['a', 'b c']],
    ['one line with spaces', 'Tags: "#a #b"', ['#a', '#b']],
    ['one tag', 'tag: a\ntitle: - b', ['a']],
    ['an array that was not parsed', 'tags: [a, "b"]', ['a', 'b']],
    ['TOML', 'title = "x"\ntags = ["a", \'b\']', ['a', 'b']],
    ['TOML on several lines', 'tags = [\n  "a", # first\n  "#b",\n]\nx = ["c"]', ['a', '#b']],
    ['TOON', 'tags[5]: a,b,"c d",e,f', ['a', 'b', 'c d', 'e', 'f']],
    ['each once', 'tags: a, a', ['a']],
    ['none without words', 'tags: []\ntag: "!"', []],
    ['not those of other keys', 'title: tags\nmeta:\n  tags: a\nmytags: b', []],
    ['not maps', 'tags:\n-\n  name: x\n- a', ['a']],
  ])('are found: %s', (_, text, expected) => {
    expect(preambleTags(text)).toEqual(expected)
  })

  test.each([
    ['---\ntags: [Rate Limit, b]\n---\n', ['Rate Limit', 'b']],
    ['---\ntags: a, b\n---\n', ['a', 'b']],
    ['---\ntags: "#a"\n---\n', ['#a']],
    ['---\nother: 1\ntags: [a, b, c, d, e]\n---\n', ['a', 'b', 'c', 'd', 'e']],
    ['+++\ntags = ["a", "b"]\n+++\n', ['a', 'b']],
    ['+++\n[taxonomies]\ntags = ["a"]\n+++\n', ['a']],
  ])('are found after parsing %j', (source, expected) => {
    const { frontMatter } = splitFrontMatter(source)
    const blocks = frontMatter
      ? frontMatterBlocks(frontMatter, { redact: (text) => text, maxNodeTokens: 1000, findKeys: () => [] })
      : []
    const texts = blocks.flatMap((block) => [block, ...block.children]).map((block) => block.text)
    expect(texts.flatMap(preambleTags)).toEqual(expected)
  })
})

test.each([
  ['Rate-Limit', '#rate+limit'],
  ['#a/b_c', '#a+b+c'],
  ['machine learning', '#machine+learning'],
  ['Été', '#ete'],
  ['!', '#'],
  ['x'.repeat(100), `#${'x'.repeat(63)}`],
])('the tag %j is the word %j', (tag, word) => {
  expect(tagWord(tag)).toBe(word)
})
