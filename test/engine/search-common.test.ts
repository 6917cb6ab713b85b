import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { search } from '../../src/core/find/search.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { countingStore } from '../support/counting-store.ts'
import { openIn } from '../support/engine.ts'
import { hash } from '../support/store-changes.ts'

/** More than a search reads of the index (`LISTED` in `pool.ts`). */
const NODES = 20_500
const FILES = 10

/** `server` is in every text, `backup` in one of two hundred, `tiger` in one; all are in files without headings. */
function textOf(at: number): string {
  if (at === 5000) return 'The tiger server has a backup.'
  return at % 200 === 0 ? `Server of backup r${at}.` : `Server r${at}.`
}

const folder = mkdtempSync(join(tmpdir(), 'remindb-engine-'))
let memory: Memory

beforeAll(async () => {
  const size = NODES / FILES
  for (let file = 0; file < FILES; file++) {
    const texts = Array.from({ length: size }, (_, place) => textOf(file * size + place))
    writeFileSync(join(folder, `${file}.md`), `${texts.join('\n\n')}\n`)
  }
  memory = await openIn(folder)
  await memory.compile(folder)
}, 60_000)

afterAll(async () => {
  await memory?.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (query: string, limit = 10) => memory.search({ query, limit, warm: false })

test('a word that is too common is dropped beside rarer ones, and the answer says so', async () => {
  const { hits, searched } = await ask('the server tiger')
  expect(hits[0]?.snippet).toBe('The tiger server has a backup.')
  expect(searched).toMatchObject({
    nodes: NODES,
    words: ['tiger'],
    dropped: ['the', 'server'],
    matched: 1,
    complete: true,
  })
})

test('words that can all be read are all looked for', async () => {
  const { hits, leftOut, searched } = await ask('tiger backup')
  expect(hits[0]?.snippet).toBe('The tiger server has a backup.')
  expect(searched).toMatchObject({ words: ['tiger', 'backup'], dropped: [], matched: 103, complete: true })
  expect(hits.length + leftOut).toBeGreaterThanOrEqual(103)
})

test('a common word alone still finds, and the answer says that there is more', async () => {
  const { hits, leftOut, searched } = await ask('server')
  expect(hits).toHaveLength(10)
  expect(searched).toMatchObject({ words: ['server'], dropped: [], complete: false })
  expect(leftOut).toBe(searched.matched - 10)
})

test('beside a common word those that nobody has, and stop words, are told apart', async () => {
  const { hits, searched } = await ask('what server zebra')
  expect(hits).toHaveLength(10)
  expect(searched).toMatchObject({
    words: ['server'],
    dropped: ['what'],
    missing: ['zebra'],
    complete: false,
  })
})

test('a common word is looked for where an operator asks for it', async () => {
  const { hits, searched } = await ask('server AND tiger')
  expect(hits.map(({ snippet }) => snippet)).toEqual(['The tiger server has a backup.'])
  expect(searched).toMatchObject({ dropped: [], matched: 1, complete: true })
  expect((await ask('server NOT tiger')).searched).toMatchObject({ matched: 20_000, complete: false })
})

test('filters are no words: what passes them is found among common words too', async () => {
  const { hits } = await ask('server path:3.md', 200)
  expect(hits).toHaveLength(200)
  expect(new Set(hits.map(({ path }) => path))).toEqual(new Set(['3.md']))
})

test('beginnings of common words are common too', async () => {
  expect((await ask('serv*', 200)).hits).toHaveLength(200)
  expect((await ask('serv* tig*')).searched).toMatchObject({ words: ['tig*'], dropped: ['serv*'] })
})

test.each([
  'server',
  'server serv*',
  'server-zebra',
  'server OR zebra',
  'server AND backup',
  'server NOT tiger',
  'server kind:source',
])('a search for common words takes at most three round trips: %s', async (query) => {
  const engine = await openSqlite({ file: join(folder, '.remindb', 'memory.db'), hash, readOnly: true })
  const { store, take } = countingStore(engine.store)
  const { hits } = await search({ store, now: () => 0 }, { query })
  await engine.close()
  expect(hits).toHaveLength(10)
  expect(take().length).toBeLessThanOrEqual(3)
})
