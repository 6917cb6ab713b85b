import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isMemoryError } from '../../src/core/errors.ts'
import { TEXT_BYTES, WITH_TEXT } from '../../src/store/sqlite/documents/document-texts.ts'
import { expectSound } from '../support/engine.ts'
import { openRecords, type RecordWorkspace } from '../support/records.ts'
import { memoryOf } from '../support/user-memory.ts'

const LIMITS = { memories: 5, bytes: 60 }
const USERS = ['ada', 'bob'] as const
type Counts = Record<string, { count: number; bytes: number }>

/** What is really there, by user: counted from texts and nodes alone. */
const REAL = `SELECT user_id, count(*) AS count, sum(bytes) AS bytes FROM (
  SELECT d.*, CASE d.kind WHEN 'note' THEN (SELECT coalesce(sum(octet_length(b.body)), 0) FROM nodes n
      JOIN texts b ON b.id = n.text_id WHERE n.document_id = d.id AND n.removed_in IS NULL)
    ELSE coalesce(${TEXT_BYTES}, 0) END AS bytes,
    (SELECT count(*) FROM nodes n WHERE n.document_id = d.id AND n.removed_in IS NULL) AS nodes
  FROM documents d ${WITH_TEXT})
  WHERE user_id IS NOT NULL AND coalesce(attributes ->> '$.folder', 0) = 0 AND (
    state = 'live' AND (kind <> 'note' OR nodes > 0) OR state = 'erased' AND kind = 'key')
  GROUP BY user_id`
const KEPT = 'SELECT user_id, count, bytes FROM user_counts'

function countsIn(db: Sqlite.Database, sql: string): Counts {
  const rows = db.prepare<[], { user_id: string; count: number; bytes: number }>(sql).all()
  return Object.fromEntries(rows.map(({ user_id, count, bytes }) => [user_id, { count, bytes }]))
}

interface Step {
  do: keyof typeof STEPS
  user: (typeof USERS)[number]
  name: string
  text: string
  at: number
}

interface World {
  at: RecordWorkspace
  me: ReturnType<typeof memoryOf>
  step: Step
}

const nodesIn = async ({ at, step }: World): Promise<string> => {
  const { hits } = await at.memory.search({ query: 'text', warm: false })
  return hits[step.at % Math.max(1, hits.length)]?.id ?? 'none'
}

const STEPS = {
  remember: ({ me, step: { name, text } }) => me.keys.remember({ key: name, value: text }),
  expiring: ({ me, step: { name, text } }) => me.keys.remember({ key: name, value: text, ttlSeconds: 60 }),
  forgetKey: ({ me, step: { name } }) => me.keys.forget(name),
  redact: ({ me, step: { name } }) => me.keys.redact({ key: name }),
  async restore({ me, step: { name, at } }) {
    const { versions } = await me.keys.history(name)
    const { version_timestamp: versionTimestamp = '' } = versions[at % Math.max(1, versions.length)] ?? {}
    await me.keys.restore({ key: name, versionTimestamp })
  },
  async record({ me, step: { text } }) {
    await me.records.store({ type: 'learning', content: text || 'text' })
  },
  async forgetRecord({ me, step: { at } }) {
    const { memories } = await me.records.query({ limit: 10 })
    await me.records.delete({ id: memories[at % memories.length]?.id ?? '', permanent: true })
  },
  note: ({ me, step: { name, text } }) => me.write({ payload: `${name} text\n\n${text}` }),
  edit: async (world) => world.me.write({ anchor: await nodesIn(world), payload: world.step.text }),
  under: async (world) => world.me.write({ parent: await nodesIn(world), payload: world.step.text }),
  forget: async (world) => world.me.forget({ id: await nodesIn(world), mode: 'cascade' }),
  reparent: async (world) => world.me.forget({ id: await nodesIn(world), mode: 'reparent' }),
  append: ({ me, step: { name, text } }) => me.files.append(`/log/${name}`, text),
  update: ({ me, step: { name, text } }) => me.files.update(`/log/${name}`, 'text', text),
  delete: ({ me, step: { name, at } }) => me.files.delete(at % 3 ? `/log/${name}` : '/log'),
  erase: ({ at, step: { name } }) => at.memory.erase({ kind: 'key', key: name }),
  async rollback({ at, me, step }) {
    const all = await at.memory.snapshots({ limit: 30 })
    const snapshotId = all[step.at % Math.max(1, all.length)]?.id ?? 0
    await me.rollback({ snapshotId, dropAfter: step.at % 2 === 0 })
  },
  async pass({ at }) {
    at.pass(31_000)
    await at.memory.tick()
  },
} satisfies Record<string, (world: World) => unknown>

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[])),
  user: fc.constantFrom(...USERS),
  name: fc.constantFrom('a', 'b', 'c'),
  text: fc.constantFrom(
    '',
    'text',
    'a longer text, of thirty bytes',
    '# text\n\n- é\n- text\n\nend',
    'text\r\n',
  ),
  at: fc.nat(12),
})

/** What a caller may be told; anything else is a defect. */
const EXPECTED = ['LIMIT_EXCEEDED', 'NOT_FOUND', 'INVALID_INPUT', 'REDACTED', 'CONFLICT']

test('after any sequence of calls the counts are what is there, and nobody grew beyond its limits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      await using at = await openRecords()
      using db = openReader(at.memory.path)
      let before: Counts = {}
      for (const step of steps) {
        const me = memoryOf(at.memory, step.user, LIMITS)
        const run: (world: World) => unknown = STEPS[step.do]
        const failure = await Promise.resolve()
          .then(() => run({ at, me, step }))
          .then(() => undefined, codeOf)
        if (failure !== undefined) expect(EXPECTED).toContain(failure)
        const after = countsIn(db.handle, KEPT)
        expect(after).toEqual(countsIn(db.handle, REAL))
        if (failure === 'LIMIT_EXCEEDED') expect(after).toEqual(before)
        const now = after[step.user] ?? { count: 0, bytes: 0 }
        const then = before[step.user] ?? { count: 0, bytes: 0 }
        if (now.count > then.count) expect(now.count).toBeLessThanOrEqual(LIMITS.memories)
        if (now.bytes > then.bytes) expect(now.bytes).toBeLessThanOrEqual(LIMITS.bytes)
        before = after
      }
      // A rollback may have brought back what has expired since.
      await at.memory.tick()
      await expectSound(at.memory)
    }),
    { numRuns: 60 },
  )
})

function openReader(file: string) {
  const handle = new Sqlite(file, { readonly: true })
  return { handle, [Symbol.dispose]: () => void handle.close() }
}

function codeOf(error: unknown): string {
  if (isMemoryError(error)) return error.code
  return error instanceof Error && error.name === 'FileError' ? 'INVALID_INPUT' : String(error)
}
