import { describe, expect, test } from 'vitest'
import { compile } from '../../src/core/compile/compile.ts'
import type { LoadedFile, SourceFolder, Spool } from '../../src/core/compile/source-folder.ts'
import { prepareFile } from '../../src/core/files/document.ts'
import type { FileDeps } from '../../src/core/files/limits.ts'
import { updateFile } from '../../src/core/files/update.ts'
import type { KeyDeps } from '../../src/core/keys/model.ts'
import { remember } from '../../src/core/keys/remember.ts'
import { encodeLinks } from '../../src/core/link.ts'
import type { Block, Link } from '../../src/core/model.ts'
import { prepareInPlace } from '../../src/core/prepare.ts'
import type { RecordDeps } from '../../src/core/records/document.ts'
import { storeRecord } from '../../src/core/records/store.ts'
import { updateRecord } from '../../src/core/records/update.ts'
import { type WriteDeps, write } from '../../src/core/tree/write.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { countingStore } from '../support/counting-store.ts'
import { addDocument, hash, source } from '../support/store-changes.ts'
import type { OpenEmpty } from './store.ts'

/** A heading begins with `# `, what follows it is below it; everything else is a paragraph. */
function parse(text: string): Block[] {
  const roots: Block[] = []
  for (const part of text.split('\n\n').filter((one) => one !== '')) {
    const type = part.startsWith('# ') ? 'heading' : 'text'
    const block: Block = { type, format: 'plain', text: part.replace('# ', ''), children: [] }
    const last = roots.at(-1)
    if (type === 'text' && last?.type === 'heading') last.children.push(block)
    else roots.push(block)
  }
  return roots
}

function folderOf(files: ReadonlyMap<string, string>): SourceFolder {
  const listed = ([path, text]: [string, string]) => {
    return { path, sizeBytes: text.length, modifiedAt: 1, changedAt: 1, inode: contentDigest(text) }
  }
  const loaded = (text: string): LoadedFile => ({
    ...{ kind: 'parsed', digest: contentDigest(text), sizeBytes: text.length, warnings: [] },
    blocks: JSON.stringify(parse(text)),
  })
  return {
    list: async () => [...files].map(listed),
    ...{ problems: () => [], unread: () => ({}), covers: () => true, parserOf: () => 'test' },
    async *load(requests) {
      for (const { path, knownDigest } of requests) {
        const file = loaded(files.get(path) ?? '')
        yield knownDigest !== null && file.digest === knownDigest
          ? { kind: 'unchanged', digest: knownDigest }
          : file
      }
    },
  }
}

function spool<T>(): Spool<T> {
  const items: T[] = []
  return { push: (item) => void items.push(item), drain: () => items, close: () => undefined }
}

/** A link from `from` that waits for `label`. */
const waiting = (label: string): { links: string } => {
  const link: Link = { label, weight: 1, source: '', id: '' }
  return { links: encodeLinks([link]) as string }
}

/** What writing costs on an engine over a network: one trip for all that is asked, and one for the end. */
export function writeTripContract(open: OpenEmpty): void {
  async function counted() {
    const counting = countingStore((await open()).store)
    const { store } = counting
    // In a memory without links none is asked for: that would be fewer trips.
    await addDocument(store, source('links.md'), [{ id: 'leads', text: 'see', ...waiting('elsewhere') }])
    counting.take()
    const redact = (text: string): string => text
    const prepare = prepareInPlace({ redact, parse, parseWhole: parse })
    const common = { store, hash, now: () => 0, redact, author: 'tester', prepare }
    const limit = { maxBytes: 10_000, setting: 'a setting' }
    const keys: KeyDeps = {
      ...common,
      limits: () => ({ maxValueBytes: 10_000, maxKeys: 1000 }) as never,
      maintenance: { scrub: async () => true },
    }
    const notes: WriteDeps = { ...common, noteLimit: limit, doors: {} as WriteDeps['doors'] }
    const records: RecordDeps = {
      ...{ ...common, randomId: () => crypto.randomUUID(), boost: () => 0.1 },
      limits: () => ({ room: { core: { count: 10, bytes: 10_000 } }, maxContent: 10_000 }) as never,
    }
    const files = { ...common, limit } as unknown as FileDeps
    return { ...counting, keys, notes, records, files, compiler: { ...common, createSpool: spool } }
  }

  describe('remember', () => {
    test.each([
      ['something new', [], 'three nodes', 2],
      ['something new, with headings', [], '# Nodes\n\nthree\n\n# Names\n\na, b, c', 2],
      ['another value', ['three nodes'], 'four nodes', 2],
      ['the same value', ['three nodes'], 'three nodes', 2],
      ['a value of before', ['three nodes', 'something else'], 'three nodes', 2],
      ['less than before', ['# Nodes\n\nthree\n\nfour'], '# Nodes\n\nthree', 2],
      ['more than before', ['three nodes'], 'three nodes\n\nfour nodes', 2],
      // The links that asked for it.
      ['a value without a heading of before', ['# Nodes\n\nthree\n\n# Names\n\na'], '# Nodes\n\nthree', 3],
      // A block takes the place of another one, whose id is taken, and moves that below itself.
      ['other blocks, at the same places', ['four nodes'], '# Nodes\n\nfour nodes\n\nfive nodes', 4],
    ])('%s', async (_, before, value, trips) => {
      const { keys, take } = await counted()
      for (const one of before) await remember(keys, { key: 'cluster', value: one })
      take()
      await remember(keys, { key: 'cluster', value })
      expect(take()).toHaveLength(trips)
    })

    test('a key that a link has waited for: where the link leads is asked then', async () => {
      const { store, keys, take } = await counted()
      await addDocument(store, source('a.md'), [{ id: 'from', text: 'see', ...waiting('cluster') }])
      take()
      await remember(keys, { key: 'cluster', value: 'three nodes' })
      expect(take()).toEqual([expect.arrayContaining(['links']), ['linkFacts'], ['links'], ['end']])
    })
  })

  test('a quota and the audit cost no round trip', async () => {
    const { keys, take } = await counted()
    const caller = { userId: 'u', principalId: 'p', address: '::1', limits: { memories: 2, bytes: 100 } }
    await remember({ ...keys, caller }, { key: 'cluster', value: 'three nodes' })
    expect(take()).toHaveLength(2)
    await remember({ ...keys, caller }, { key: 'cluster', value: 'four nodes, or five' })
    expect(take()).toHaveLength(2)
  })

  describe('write', () => {
    async function withNote() {
      const all = await counted()
      const { id } = await write(all.notes, { payload: 'The cluster has three nodes.' })
      await addDocument(all.store, source('a.md'), [
        { id: 'title', text: 'Guide', type: 'heading' },
        { id: 'said', text: 'The cluster is small.', under: 0 },
      ])
      all.take()
      return { ...all, id }
    }
    test.each([
      ['a note', {}, 'The cluster has four nodes.', 2],
      ['a note with headings', {}, '# Cluster\n\nIt has four nodes.', 2],
      ['over a node of a file', { anchor: 'said' }, 'The cluster is large.', 2],
      ['over a heading', { anchor: 'title' }, '# Guide', 2],
      ['what a node says already', { anchor: 'said' }, 'The cluster is small.', 2],
      ['if nobody changed it', { anchor: 'said', expectedVersion: 3 }, 'The cluster is large.', 2],
      ['more than a node', { anchor: 'said' }, 'The cluster is large.\n\nIt has four nodes.', 3],
      ['under a node', { parent: 'title' }, 'It has four nodes.', 3],
    ])('%s', async (_, input, payload, trips) => {
      const { notes, take } = await withNote()
      await write(notes, { payload, ...input })
      expect(take()).toHaveLength(trips)
    })

    test('over a note', async () => {
      const { notes, take, id } = await withNote()
      await write(notes, { payload: 'The cluster has five nodes.', anchor: id })
      expect(take()).toHaveLength(2)
    })
  })

  describe('a record', () => {
    test('is stored and replaced in two round trips', async () => {
      const { records, take } = await counted()
      const { id } = await storeRecord(records, { type: 'core', content: 'The cluster has three nodes.' })
      expect(take()).toHaveLength(2)
      await storeRecord(records, { type: 'core', id, content: 'The cluster has four nodes.' })
      expect(take()).toHaveLength(2)
      await storeRecord(records, { type: 'learning', id, content: 'The cluster has four nodes.' })
      expect(take()).toHaveLength(2)
    })

    // Updating is an access, which warms the nodes that there are afterwards.
    test('is updated in three', async () => {
      const { records, take } = await counted()
      const { id } = await storeRecord(records, { type: 'learning', content: 'The cluster has three nodes.' })
      take()
      await updateRecord(records, { id, content: 'The cluster has four nodes.' })
      expect(take()).toHaveLength(3)
    })
  })

  test('a file is replaced in two round trips, after one that reads it', async () => {
    const { store, files, take } = await counted()
    const memory = { node: 'memory', scope: 'global', thread: '' } as const
    const { address, text } = await files.prepare(prepareFile, {
      memory,
      path: 'a.md',
      content: '# A\n\nOne two.\n\nThree',
    })
    const nodes = [
      { id: 'a', text: 'A', type: 'heading' as const },
      { id: 'b', text: 'One two.', under: 0 },
      { id: 'c', text: 'Three', under: 0 },
    ]
    await addDocument(store, address, nodes, text)
    take()
    await updateFile(files, { memory, path: 'a.md', oldContent: 'two', content: 'twice' })
    expect(take()).toHaveLength(3)
  })

  describe('compile', () => {
    const lines = (at: number): string[] =>
      Array.from({ length: 9 }, (_, line) => `Line ${line} of the guide ${at} says something.`)
    const body = (at: number): string => [`# Guide ${at}`, ...lines(at)].join('\n\n')
    const pathOf = (at: number): string => `part${at % 7}/guide${at}.md`
    const guides = (count: number): Map<string, string> =>
      new Map(Array.from({ length: count }, (_, at) => [pathOf(at), body(at)]))
    const input = (files: ReadonlyMap<string, string>) => {
      return { root: 'docs', scope: '', absorbs: [], folder: folderOf(files), message: 'a test' }
    }

    test('1,000 new files take at most 15 round trips', async () => {
      const { compiler, take } = await counted()
      expect(await compile(compiler, input(guides(1000)))).toMatchObject({ added: 10_000 })
      expect(take().length).toBeLessThanOrEqual(15)
    })

    test.each([
      ['lines', (text: string) => text.replace('Line 3', 'The third line')],
      ['lines that are new', (text: string) => `${text}\n\nOne more line.`],
      ['lines in between', (text: string) => text.replace('Line 3', 'Another line.\n\nLine 3')],
      ['lines that are gone', (text: string) => text.replace(/\n\nLine 3[^\n]*/, '')],
      ['new headings', (text: string) => `${text}\n\n# Appendix\n\nIt has more lines.`],
      ['headings', (text: string) => text.replace('# Guide', '# The guide')],
    ])('10 changed files take at most 5 round trips: %s', async (_, change) => {
      const { compiler, take } = await counted()
      const files = guides(30)
      await compile(compiler, input(files))
      take()
      for (let at = 0; at < 10; at++) files.set(pathOf(at), change(body(at)))
      expect(await compile(compiler, input(files))).toMatchObject({ files: { changed: 10 } })
      expect(take().length).toBeLessThanOrEqual(5)
    })

    test.each([10, 200])('%d files that are gone take at most 5 round trips', async (count) => {
      const { compiler, take } = await counted()
      const files = guides(count + 20)
      await compile(compiler, input(files))
      take()
      for (let at = 0; at < count; at++) files.delete(pathOf(at))
      expect(await compile(compiler, input(files))).toMatchObject({ files: { removed: count } })
      expect(take().length).toBeLessThanOrEqual(5)
    })
  })
}
