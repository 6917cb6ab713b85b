import { describe, expect, test } from 'vitest'
import { firstLookText } from '../../src/core/render/first-look-text.ts'
import { estimateTokens } from '../../src/core/tokens.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { openTools } from '../support/agent-memory.ts'
import { openWorkspace } from '../support/engine.ts'

const note = (title: string, paragraphs = 3): string =>
  `# ${title}\n\n${Array.from({ length: paragraphs }, (_, at) => `Paragraph ${at} of ${title}.`).join('\n\n')}\n`

function vault(files: number): Record<string, string> {
  const folders = ['Projects', 'Projects/Archive', 'Daily notes', 'People']
  return Object.fromEntries(
    Array.from({ length: files }, (_, at) => [
      `${folders[at % folders.length]}/Note ${at}.md`,
      note(`Note ${at}`, (at % 5) + 1),
    ]),
  )
}

const look = async (memory: Memory): Promise<string> => firstLookText(await memory.firstLook())

describe('a first look', () => {
  test('is the outline where that fits in 500 tokens', async () => {
    await using at = await openTools({ 'a.md': note('A'), 'b/c.md': note('C') })
    const text = await at.text('MemoryTree')
    expect(text).toBe(await at.text('MemoryTree', { depth: 5 }))
    expect(text).toMatch(/^\[heading\] A \(id=\w{11} file=a\.md /)
  })

  test.each([40, 400])('is a map of at most 500 tokens of %i files', async (files) => {
    await using at = await openTools({ ...vault(files), 'README.md': note('Read me', 9) })
    const text = await at.text('MemoryTree')
    expect(estimateTokens(`${text}\n`)).toBeLessThanOrEqual(500)
    const [head, ...lines] = text.split('\n')
    expect(head).toMatch(new RegExp(`^map: ${files + 1} documents, \\d+ nodes, [\\d.]+k? tokens$`))
    for (const [folder, count] of Object.entries({
      Projects: files / 2,
      'Daily notes': files / 4,
      People: files / 4,
    }))
      expect(text).toMatch(
        new RegExp(`^ {2}${folder}/ \\(${count} documents, \\d+ nodes, [\\d.]+k? tokens\\)$`, 'm'),
      )
    expect(text).toMatch(/^ {2}README\.md \(id=\w{11}, 10 nodes, \d+ tokens\)$/m)
    expect(text).toMatch(/^changed last: many documents at once \(snapshot 1\)$/m)
    expect(lines.at(-1)).toMatch(/^open more: MemoryTree depth=0 lists every document, id=<id> opens one/)
  })

  test('names a node to open a document by that has its text below, not its front matter', async () => {
    const front = '---\ntags: [a]\n---\n'
    await using at = await openTools({
      ...vault(40),
      'Front.md': `${front}# Ferry\n\nTides.\n`,
      'Only.md': front,
    })
    for (const outline of [
      await at.text('MemoryTree'),
      await at.text('MemoryTree', { depth: 0, limit: 100 }),
    ]) {
      const [, id] = outline.match(/^.*Front\.md.*$/m)?.[0].match(/id=(\w{11})/) ?? []
      expect(await at.text('MemoryFetch', { id })).toContain('Tides.')
    }
    expect(await at.text('MemoryTree', { depth: 0, limit: 100 })).toMatch(/^\[preamble\] .*Only\.md/m)
  })

  test('names what is warm and what changed last', async () => {
    await using at = await openTools(vault(40))
    const { hits } = await at.memory.search({ query: 'Paragraph 0 of Note 7', limit: 1, warm: false })
    const id = hits[0]?.id ?? ''
    await at.memory.pin({ id, temperature: 0.9 })
    await at.memory.write({ anchor: id, payload: 'Changed by hand.' })
    const text = await at.text('MemoryTree')
    expect(text).toMatch(
      new RegExp(`^warm:\\n {2}\\[text\\] Changed by hand\\. \\(id=${id} file=People/Note 7\\.md temp=`, 'm'),
    )
    expect(text).toMatch(/^changed last: People\/Note 7\.md \(snapshot 2\)$/m)
    expect(estimateTokens(`${text}\n`)).toBeLessThanOrEqual(500)
  })

  test('keeps to 500 tokens whatever the names are, and to a smaller budget', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `${'ä'.repeat(90)}${at}/${'(id='.repeat(20)}${at}.md`)
    await using at = await openTools(Object.fromEntries(names.map((name) => [name, note('x', 4)])))
    for (const budget of [0, 500, 200, 150]) {
      const text = await at.text('MemoryTree', budget ? { budget } : {})
      expect(estimateTokens(`${text}\n`)).toBeLessThanOrEqual(budget || 500)
      expect(text).toMatch(/^map: 60 documents/)
    }
    const page = await at.text('MemoryTree', { budget: 50 })
    expect(estimateTokens(`${page}\n`)).toBeLessThanOrEqual(50)
    expect(page).toMatch(/\n… more: after=\w{11}$/)
  })

  test('counts keys, records, notes and files beside the files on disk', async () => {
    await using at = await openWorkspace(vault(40))
    await at.memory.keys.remember({ key: 'tone', value: 'short' })
    await at.memory.write({ payload: 'A note.' })
    const text = await look(at.memory)
    expect(text).toMatch(/^ {2}key:\/ \(1 document, 2 nodes, \d+ tokens\)$/m)
    expect(text).toMatch(/^ {2}note:\/ \(1 document, 1 node, \d+ tokens\)$/m)
  })

  test.each([
    ['sections below a title', (sections: string) => `# Title\n\n${sections}`, '##'],
    ['sections without a title', (sections: string) => sections, '#'],
  ])('of one document with %s shows the first of them', async (_what, whole, mark) => {
    const sections = Array.from({ length: 80 }, (_, at) => `${mark} Entry ${at}\n\nText ${at}.\n`).join('\n')
    await using at = await openWorkspace({ 'log.md': whole(sections) })
    const text = await look(at.memory)
    expect(text).toMatch(
      /^map: 1 document, 16\d nodes, .*\n {2}log\.md \(id=\w{11}, 16\d nodes, .*\)\n {4}\[heading\] Entry 0 \(id=/,
    )
    expect(text.match(/\[heading\] Entry/g)?.length).toBeGreaterThan(10)
    expect(estimateTokens(`${text}\n`)).toBeLessThanOrEqual(500)
  })

  test('begins where the documents do', async () => {
    const files = Object.fromEntries(Object.entries(vault(40)).map(([name, text]) => [`a/b/${name}`, text]))
    await using at = await openWorkspace(files)
    const text = await look(at.memory)
    expect(text).toMatch(/^map: 40 documents in a\/b\/, /)
    expect(text).toMatch(/^ {2}People\/ /m)
  })

  test('of an empty memory is an empty outline', async () => {
    await using at = await openWorkspace()
    expect(await look(at.memory)).toBe('empty tree')
  })
})

describe('depth 0', () => {
  test('lists every document once, in pages, within the budget', async () => {
    // Without a heading at the top, a document has several roots.
    const files = { ...vault(60), 'loose.md': 'One.\n\nTwo.\n\nThree.\n' }
    await using at = await openTools(files)
    const paths: string[] = []
    for (let after: string | null | undefined; after !== null; ) {
      const page = await at.call('MemoryTree', { depth: 0, budget: 300, ...(after ? { after } : {}) })
      expect(estimateTokens(`${page.text}\n`)).toBeLessThanOrEqual(300)
      const { nodes, next } = page.structured as { nodes: { path: string }[]; next: string | null }
      paths.push(...nodes.map(({ path }) => path))
      after = next
    }
    expect(paths.toSorted()).toEqual(Object.keys(files).toSorted())
  })

  test('says how much is in each document', async () => {
    await using at = await openTools({
      'loose.md': 'One.\n\nTwo.\n\nThree.\n',
      'b.md': '# B\n',
      'c.md': '# C\n\n## D\n\nBelow.\n',
      'front.md': '---\ntitle: F\n---\n\n# F\n\nBelow.\n',
    })
    const text = await at.text('MemoryTree', { depth: 0 })
    expect(text.split('\n')).toEqual([
      expect.stringMatching(/^\[heading\] B \(id=\w{11} file=b\.md [^)]*\)$/),
      expect.stringMatching(/^\[heading\] C \(id=\w{11} file=c\.md [^)]*\) … 2 nodes below$/),
      expect.stringMatching(
        /^\[heading\] F \(id=\w{11} file=front\.md [^)]*\) … 2 more nodes in this document$/,
      ),
      expect.stringMatching(
        /^\[text\] One\. \(id=\w{11} file=loose\.md [^)]*\) … 2 more nodes in this document$/,
      ),
    ])
  })

  test.each(['MemoryTree', 'MemoryFetch'])(
    '%s of what it lists leads through the whole document',
    async (tool) => {
      await using at = await openTools({
        'a.md': 'Before.\n\n# One\n\nFirst.\n\n# Two\n\nSecond.\n',
        'b.md': '# B\n',
      })
      const [, first] = /\(id=(\w{11}) file=a\.md/.exec(await at.text('MemoryTree', { depth: 0 })) ?? []
      const seen: string[] = []
      for (let id = first; id; ) {
        const text = await at.text(tool, { id })
        seen.push(...[...text.matchAll(/\(id=(\w{11})/g)].map(([, one = '']) => one))
        id = /^… next in this document: id=(\w{11})$/.exec(text.split('\n').at(-1) ?? '')?.[1]
      }
      const { nodes } = await at.memory.tree({ warm: false })
      expect(seen).toEqual(nodes.filter(({ path }) => path === 'a.md').map(({ id }) => id))
    },
  )
})
