import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { indexForm } from '../../src/core/find/query/words.ts'
import type { Engine } from '../../src/core/port/store.ts'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { startScrubs } from '../../src/runtime/upkeep/scrubs.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { ensureProgramIsBuilt, remindb } from '../support/cli.ts'
import { healthOf } from '../support/health.ts'
import { serve } from '../support/serving.ts'
import { soon } from '../support/soon.ts'
import { addNodes, commit, hash, note, put } from '../support/store-changes.ts'
import { start } from '../support/store-children.ts'
import { databaseBytes, temporaryFolder } from '../support/store-files.ts'
import { manualTimers } from '../support/timers.ts'

beforeAll(ensureProgramIsBuilt)

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

function pendingScrubs(file: string): number {
  const db = new Sqlite(file, { readonly: true })
  const count = db.prepare('SELECT count(*) FROM scrubs').pluck().get() as number
  db.close()
  return count
}

async function openEngine(file: string): Promise<Engine & AsyncDisposable> {
  const engine = await openSqlite({ file, hash, writer: 'here' })
  return { ...engine, [Symbol.asyncDispose]: engine.close }
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
    expect(await memory.doctor()).toMatchObject({ status: 'fail' })
    const pending = (await memory.doctor()).checks.find((check) => check.name === 'pending_scrub')
    expect(pending).toMatchObject({ status: 'fail', detail: expect.stringContaining('doctor --fix') })
    const tried = (await memory.heal()).checks.find((check) => check.name === 'pending_scrub')
    expect(tried).toMatchObject({ status: 'fail', fix_error: expect.stringContaining('retry later') })
    reader.tell()
    await reader.ended()
    const healed = await memory.heal()
    expect(healed.status).toBe('pass')
    expect(healed.checks.find((check) => check.name === 'pending_scrub')).toMatchObject({ fix_applied: true })
    expect(found(file, WORDS)).toEqual([])
    expect(found(file, digests)).toEqual([])
  })
})

/** A memory whose erasure a reader has kept from the disk; the reader stays until told. */
async function openPending() {
  const file = databaseFile()
  const memory = await openMemory({ db: file, settings: { 'store.lock_wait_ms': 100 } })
  const { id } = await memory.write({ payload: SECRET })
  const reader = start('hold-read', { file })
  expect(await reader.next()).toBe('holding')
  expect(await memory.erase({ kind: 'note', id })).toMatchObject({ scrubbed: false })
  expect(found(file, WORDS)).not.toEqual([])
  return {
    ...{ file, memory },
    async letGo() {
      reader.tell()
      await reader.ended()
    },
    [Symbol.asyncDispose]: () => memory.close(),
  }
}

describe('while an erasure is pending', () => {
  test('a backup has nothing of it, nor has the one that doctor --fix makes', async () => {
    await using at = await openPending()
    const backup = await at.memory.backup()
    expect(found(backup, WORDS)).toEqual([])
    const backups: string[] = []
    await at.memory.heal((name) => backups.push(name))
    expect(backups.flatMap((name) => found(name, WORDS))).toEqual([])
    expect(backups).toHaveLength(1)
    await using copy = await openMemory({ db: backup, create: false })
    expect((await copy.doctor()).status).toBe('pass')
    await at.letGo()
  })

  test('a backup has nothing of it either where the search index is damaged', async () => {
    await using at = await openPending()
    await at.letGo()
    const db = new Sqlite(at.file)
    db.unsafeMode(true).exec('DELETE FROM node_index_config')
    db.close()
    expect(found(await at.memory.backup(), WORDS)).toEqual([])
  })

  test('it is finished at an interval, once no reader is in the way', async () => {
    await using at = await openPending()
    await using engine = await openEngine(at.file)
    const timers = manualTimers()
    const problems: unknown[] = []
    const job = startScrubs(engine, { onError: (error) => problems.push(error), setTimer: timers.setTimer })
    await soon(timers.delays).toEqual([30_000])
    expect(found(at.file, WORDS)).not.toEqual([])
    await at.letGo()
    timers.fire()
    await soon(timers.delays).toEqual([30_000])
    expect(found(at.file, WORDS)).toEqual([])
    expect((await at.memory.doctor()).status).toBe('pass')
    await job.stop()
    expect(timers.delays()).toEqual([])
    expect(problems).toEqual([])
  })

  test('the next compile from the command line finishes it', async () => {
    await using at = await openPending()
    await at.letGo()
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a.md'), OTHER)
    expect(remindb(['compile', folder, '--db', at.file], { cwd: folder }).code).toBe(0)
    expect(found(at.file, WORDS)).toEqual([])
  })
})

test('a server finishes the erasure of a process that was killed before it was on disk', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'memory.db')
  await using memory = await openMemory({ db: file })
  const { id } = await memory.write({ payload: SECRET })
  await memory.close()
  await start('erase-and-die', { file, name: id }).ended()
  expect(found(file, WORDS)).not.toEqual([])
  await serve({ cwd: folder, args: ['--db', file, '--listen', '127.0.0.1:0'] })
  await soon(() => pendingScrubs(file)).toBe(0)
  expect(found(file, WORDS)).toEqual([])
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
    const engine = await openSqlite({ file, hash, create: true, synchronous: 'normal', writer: 'here' })
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
    expect((await engine.store.read(healthOf)).filter(({ status }) => status !== 'pass')).toEqual([])
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
