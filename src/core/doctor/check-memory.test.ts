import { expect, test } from 'vitest'
import { MemoryError } from '../errors.ts'
import type { LinkAnswer } from '../port/links.ts'
import type { StoredTable } from '../port/scan.ts'
import type { CheckResult, EngineChecks } from '../port/store.ts'
import { type CheckTx, checkMemory } from './check-memory.ts'

const TOOLS = { hash: () => 0n }
const SPACE = {
  headId: null,
  digest: 0n,
  heat: { clock: 0, tickedAt: 0, frozen: false, coldBelow: 0 },
}

const NO_FACTS: LinkAnswer = {
  ...{ nodes: [], documentsNamed: [], headingsNamed: [], places: [] },
  ...{ headingsIn: [], marksIn: [], namesOf: [] },
}

/** A memory with these rows, and nothing else; a table that is an error cannot be read. */
function memoryOf(
  tables: Partial<Record<StoredTable, unknown[] | Error>>,
  engine: EngineChecks = { checks: [], isReadable: true, now: 0 },
): CheckTx {
  const scan = async (table: StoredTable): Promise<unknown[]> => {
    const rows = { space: [SPACE], ...tables }[table] ?? []
    if (rows instanceof Error) throw rows
    return rows
  }
  return {
    scan: scan as CheckTx['scan'],
    engineChecks: async () => engine,
    links: async () => [],
    linkFacts: async () => NO_FACTS,
  }
}

const failing = (checks: CheckResult[]) =>
  checks.filter(({ status }) => status !== 'pass').map(({ name, detail }) => `${name}: ${detail}`)

test('checkMemory passes an empty memory and reports in order, with the engine checks last', async () => {
  const own = ['made_up', 'database_file', 'fts5_sync'].map(
    (name) => ({ name, status: 'pass', detail: '' }) as const,
  )
  const checks = await checkMemory(memoryOf({}, { checks: own, isReadable: true, now: 0 }), TOOLS)
  expect(failing(checks)).toEqual([])
  expect(checks.map(({ name }) => name)).toEqual([
    ...['fts5_sync', 'orphan_parent_id', 'head_cursor', 'dangling_diffs', 'history', 'missing_text'],
    ...[
      'text_digest',
      'text_refs',
      'labels',
      'unreachable_nodes',
      'links',
      'counters',
      'cursor_hash',
      'heat',
      'leases',
    ],
    ...['files', 'documents', 'database_file', 'made_up'],
  ])
})

test('checkMemory reads no rows if the engine reports that they cannot be read', async () => {
  const checks = [{ name: 'schema_version', status: 'fail', detail: 'old' } as const]
  const tx = memoryOf({ space: new Error('asked') }, { checks, isReadable: false, now: 0 })
  expect(await checkMemory(tx, TOOLS)).toEqual(checks)
})

test('a table that cannot be read fails only the checks that need it', async () => {
  const checks = await checkMemory(memoryOf({ heat: new Error('no such table: heat') }), TOOLS)
  expect(failing(checks)).toEqual(['heat: cannot be checked: no such table: heat'])
})

test('a row that breaks one check is still seen by the other checks', async () => {
  const row = {
    id: 1,
    kind: 'key',
    state: 'live',
    isOwn: true,
    textBytes: 0,
    accesses: 0,
    accessedAt: null,
    // Not a list.
    attributes: { tags: 5 },
  }
  const checks = await checkMemory(memoryOf({ documents: [{ ...row, textKey: 3 }] }), TOOLS)
  expect(failing(checks)).toEqual([
    expect.stringMatching(/^missing_text: 0 nodes, 0 versions and 1 document lost/),
    expect.stringMatching(/^documents: cannot be checked: /),
  ])
})

test('checkMemory throws if the memory cannot be read for now', async () => {
  const busy = new MemoryError('UNAVAILABLE', 'try again')
  await expect(checkMemory(memoryOf({ texts: busy }), TOOLS)).rejects.toBe(busy)
})
