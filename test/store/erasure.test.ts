import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { indexForm } from '../../src/core/find/words.ts'
import type { Engine } from '../../src/core/store.ts'
import { openMemory } from '../../src/runtime/open-memory.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { contentDigest } from '../../src/util/hash.ts'
import { addNodes, commit, hash, note, put } from '../support/store-changes.ts'
import { start } from '../support/store-children.ts'
import { databaseBytes, temporaryFolder } from '../support/store-files.ts'

const databaseFile = (): string => join(temporaryFolder(), 'memory.db')

/** Which of `needles` (text, or raw bytes) the database, its journal and its index still hold. */
function found<T extends string | Buffer>(file: string, needles: readonly T[]): T[] {
  const bytes = databaseBytes(file)
  return needles.filter((needle) => bytes.includes(needle))
}

/** Everything stored that says `word`: digests as bytes and as hex digits. */
function digestsOf(file: string, word: string): (string | Buffer)[] {
  const db = new Sqlite(file, { readonly: true })
  const rows = db.prepare('SELECT digest FROM texts WHERE instr(body, ?)').all(word) as { digest: Buffer }[]
  db.close()
  return rows.flatMap(({ digest }) => [digest, digest.toString('hex')])
}

function matches(file: string, words: string): number {
  const db = new Sqlite(file, { readonly: true })
  const row = db
    .prepare('SELECT count(*) AS count FROM node_index WHERE node_index MATCH ?')
    .get(`"${indexForm(words)}"`)
  db.close()
  return (row as { count: number }).count
}

/** In the index `zanzibarring` is `zanzibar`, and `quetzalcoatlus` has no `s`. */
const SECRET =
  '# Zanzibarring heading\n\nThe zanzibarring plan is quetzalcoatlus.\n\n- zanzibarring item\n\nShared words.'
const WORDS = ['zanzibar', 'Zanzibar', 'quetzalcoatlu']
const OTHER = 'Shared words.\n\nNothing to hide.'

describe('an erased document', () => {
  test('is nowhere in the file, its journal, its index; what others say too stays', async () => {
    const file = databaseFile()
    await using memory = await openMemory({ db: file })
    // A second handle keeps the journal from going with the last one.
    await using reader = await openMemory({ db: file })
    await reader.overview()
    const { id } = await memory.write({ payload: SECRET })
    const other = await memory.write({ payload: OTHER })
    const leaf = (await memory.forest({ rootId: id })).roots[0]?.children[0]?.id as string
    await memory.write({ anchor: leaf, payload: 'An edited zanzibarring plan.' })
    await memory.summarize({ id: leaf, summary: 'A zanzibarring summary.' })
    const digests = [...digestsOf(file, 'anzibarring'), ...digestsOf(file, 'quetzal')]
    expect(found(file, WORDS)).toEqual(WORDS)
    expect(digests.length).toBeGreaterThan(8)

    const erased = await memory.erase({ kind: 'note', id })
    expect(erased).toMatchObject({ scrubbed: true, backups: [] })
    expect(found(file, WORDS)).toEqual([])
    expect(found(file, digests)).toEqual([])
    expect(matches(file, 'zanzibarring')).toBe(0)
    expect(matches(file, 'shared words')).toBe(1)
    expect((await reader.forest({ rootId: other.id })).roots).toHaveLength(1)
    expect(found(file, ['Shared words.', 'Nothing to hide.'])).toHaveLength(2)
    expect((await reader.doctor()).status).toBe('pass')
    expect((await reader.history({ id: leaf })).items).toMatchObject([{ op: 'rem', old: null, new: null }])
  })

  test('does not come back by a rollback, nor by compiling the file that is still there', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'docs'))
    const path = join(folder, 'docs', 'secret.md')
    writeFileSync(path, SECRET)
    writeFileSync(join(folder, 'docs', 'other.md'), OTHER)
    await using memory = await openMemory({ db: folder })
    const { snapshot } = await memory.compile(join(folder, 'docs'))
    const { roots } = await memory.files()
    expect(roots[0]?.files.map((file) => file.path)).toEqual(['docs/other.md', 'docs/secret.md'])
    await memory.erase({ kind: 'source', root: '.', path: 'docs/secret.md' })
    await memory.rollback({ snapshotId: snapshot?.id ?? 0 })
    expect((await memory.files()).roots[0]?.files.map((file) => file.path)).toEqual(['docs/other.md'])
    const again = await memory.compile(join(folder, 'docs'))
    expect(again.skipped).toEqual([
      { path: 'docs/secret.md', line: null, reason: expect.stringMatching(/erased.*delete or rename/) },
    ])
    expect(again.snapshot).toBeNull()
    expect(found(memory.path, WORDS)).toEqual([])
    expect((await memory.doctor()).status).toBe('pass')
    rmSync(path)
    expect((await memory.compile(join(folder, 'docs'))).skipped).toEqual([])
  })

  test('backups that still hold it are named', async () => {
    const file = databaseFile()
    await using memory = await openMemory({ db: file })
    const { id } = await memory.write({ payload: SECRET })
    const backup = await memory.backup()
    expect((await memory.erase({ kind: 'note', id })).backups).toEqual([backup])
    expect(found(backup, WORDS)).toEqual(WORDS)
    expect(found(await memory.backup(`${file}.bak.after`), WORDS)).toEqual([])
  })

  test('waits for a reader in its way, says so, and is finished later', async () => {
    const file = databaseFile()
    await using memory = await openMemory({ db: file, settings: { 'store.lock_wait_ms': 100 } })
    const { id } = await memory.write({ payload: SECRET })
    const digests = digestsOf(file, 'anzibarring')
    const reader = start('hold-read', { file })
    expect(await reader.next()).toBe('holding')
    expect(await memory.erase({ kind: 'note', id })).toMatchObject({ scrubbed: false })
    expect((await memory.forest()).roots).toEqual([])
    expect(await memory.doctor()).toMatchObject({ status: 'warn' })
    const pending = (await memory.doctor()).checks.find((check) => check.name === 'pending_scrub')
    expect(pending).toMatchObject({ status: 'warn', detail: expect.stringContaining('doctor --fix') })
    const tried = (await memory.heal()).checks.find((check) => check.name === 'pending_scrub')
    expect(tried).toMatchObject({ status: 'warn', fix_error: expect.stringContaining('try again') })
    reader.tell()
    await reader.ended()
    const healed = await memory.heal()
    expect(healed.status).toBe('pass')
    expect(healed.checks.find((check) => check.name === 'pending_scrub')).toMatchObject({ fix_applied: true })
    expect(found(file, WORDS)).toEqual([])
    expect(found(file, digests)).toEqual([])
  })
})

test('what a rollback drops is nowhere in the file either', async () => {
  const file = databaseFile()
  await using memory = await openMemory({ db: file })
  const kept = await memory.write({ payload: OTHER })
  await memory.write({ payload: SECRET })
  await memory.write({ anchor: kept.id, payload: 'Shared words about zanzibarring.' })
  const digests = digestsOf(file, 'anzibarring')
  const result = await memory.rollback({ snapshotId: kept.snapshot?.id ?? 0, dropAfter: true })
  expect(result).toMatchObject({ status: 'rolled-back', pruned: 2 })
  expect(found(file, WORDS)).toEqual([])
  expect(found(file, digests)).toEqual([])
  expect(matches(file, 'shared words')).toBe(1)
  expect((await memory.doctor()).status).toBe('pass')
})

describe('among many documents', () => {
  /** As many documents as texts, one node each. */
  async function openWith(file: string, texts: string[]): Promise<{ engine: Engine; ids: number[] }> {
    const engine = await openSqlite({ file, hash, create: true, synchronous: 'normal' })
    const { value: ids } = await commit(engine.store, async (tx, id) => {
      const rows: number[] = []
      for (const [at, text] of texts.entries()) {
        const document = await put(tx, id, note(`n${at}`), text)
        await addNodes(tx, id, document.id, [{ id: `n${at}`, text }])
        rows.push(document.id)
      }
      return rows
    })
    return { engine, ids }
  }
  const eraseAll = (engine: Engine, ids: number[]) =>
    commit(engine.store, async (tx, id) => {
      for (const documentId of ids) await tx.eraseDocument(documentId, id)
    })

  test('no copy is left in the unused part of a page', async () => {
    const file = databaseFile()
    const texts = Array.from({ length: 2000 }, (_, at) => `text number ${at}`)
    const { engine, ids } = await openWith(file, texts)
    const erased = texts.filter((_, at) => at % 10 !== 0)
    await eraseAll(
      engine,
      ids.filter((_, at) => at % 10 !== 0),
    )
    expect(await engine.maintenance.scrub()).toBe(true)
    const digests = erased.map((text) => Buffer.from(contentDigest(text), 'hex'))
    expect(found(file, digests)).toEqual([])
    expect((await engine.store.read((tx) => tx.health())).filter(({ status }) => status !== 'pass')).toEqual(
      [],
    )
    await engine.close()
  })

  test('no word is left as a separator of the search index', async () => {
    const file = databaseFile()
    const words = Array.from({ length: 3000 }, (_, at) => `unguessablepassphrase${1000 + at}`)
    const { engine, ids } = await openWith(file, words)
    await engine.maintenance.scrub()
    const db = new Sqlite(file, { readonly: true })
    const separators = db.prepare('SELECT CAST(term AS TEXT) AS term FROM node_index_idx').all() as {
      term: string
    }[]
    db.close()
    const exposed = words.flatMap((word, at) =>
      separators.some(({ term }) => term.endsWith(word)) ? [at] : [],
    )
    expect(exposed.length).toBeGreaterThan(0)
    await eraseAll(
      engine,
      exposed.map((at) => ids[at] as number),
    )
    expect(await engine.maintenance.scrub()).toBe(true)
    expect(
      found(
        file,
        exposed.map((at) => words[at] as string),
      ),
    ).toEqual([])
    expect(matches(file, words[1] as string)).toBe(1)
    await engine.close()
  })
})
