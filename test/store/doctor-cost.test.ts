import { setImmediate as nextRound } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openWorkspace } from '../support/engine.ts'
import { tamper } from '../support/store-database.ts'

const FILES = 20_000
const HEADINGS = 8_000
/** Far more than it takes, far less than it took. */
const TIMEOUT_MS = 30_000

describe('what doctor costs', () => {
  test('doctor checks 20,000 files in time that grows with their number', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await using workspace = await openWorkspace({ 'a.md': '# A\n\nText.\n' })
    tamper(workspace.memory.path, (db) => {
      db.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${FILES})
        INSERT INTO documents (space_id, owner_id, kind, collection, name, created_at, updated_at)
        SELECT d.space_id, d.owner_id, d.kind, d.collection, 'more/' || i || '.md', 0, 0 FROM documents d, n`)
      db.exec(`INSERT INTO files SELECT f.space_id, f.root, d.name, f.size, f.modified_at, f.changed_at, f.inode, f.scanned_at,
        f.digest, f.parser, f.line, f.reason FROM files f JOIN documents d ON d.name <> f.path`)
    })
    const { checks } = await workspace.memory.doctor()
    expect(checks.find(({ name }) => name === 'files')).toMatchObject({ status: 'pass' })
  })

  test('links that give many sources are led and checked without reading every heading for each', {
    timeout: TIMEOUT_MS,
  }, async () => {
    await using workspace = await openWorkspace()
    const numbers = Array.from({ length: HEADINGS }, (_, at) => at)
    const links = numbers.map((at) => `[[Same; source=file-${at}.md]]`).join(' ')
    await workspace.memory.write({ payload: `${'# Same\n\nText.\n\n'.repeat(HEADINGS)}${links}\n` })
    await workspace.compile({ 'file-7.md': '# Same\n\nHere.\n' })
    const { checks } = await workspace.memory.doctor()
    expect(checks.find(({ name }) => name === 'links')).toMatchObject({ status: 'pass' })
    const { edges } = await workspace.memory.graph()
    expect(edges).toHaveLength(1)
  })
})

describe('who waits for doctor', () => {
  test('the event loop goes round while doctor runs', async () => {
    // No two alike: what is said twice is stored once.
    const lines = Array.from({ length: 150_000 }, (_, at) => `Line ${at} has some words.`)
    await using workspace = await openWorkspace({ 'a.md': lines.join('\n') })
    let isRunning = true
    let rounds = 0
    const report = workspace.memory.doctor().finally(() => {
      isRunning = false
    })
    for (; isRunning; rounds++) await nextRound()
    expect((await report).status).toBe('pass')
    // On this thread the checks would take one.
    expect(rounds).toBeGreaterThan(20)
  })

  test('calls that overlap share one run, whichever way they come; a later one looks again', async () => {
    await using workspace = await openWorkspace({ 'a.md': '# A\n\nText.\n' })
    const { memory } = workspace
    const [first, second, third] = await Promise.all([
      memory.doctor(),
      memory.observer.doctor(),
      memory.doctor(),
    ])
    expect(second).toBe(first)
    expect(third).toBe(first)
    expect(await memory.doctor()).not.toBe(first)
  })
})
