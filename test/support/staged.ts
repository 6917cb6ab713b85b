import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type CompileInput, type CompileResult, compile } from '../../src/core/compile/compile.ts'
import type { Engine, Operation, Store } from '../../src/core/port/store.ts'
import { createRedactor } from '../../src/ingest/redact/redactor.ts'
import { openSourceFolder } from '../../src/ingest/source-folder.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { createSpool } from '../../src/util/files/spool.ts'
import { given } from '../../src/util/given.ts'
import { hash } from './store-changes.ts'
import { NOON } from './store-heat.ts'

/** What happens at points of a compile, to whoever looks. */
export interface Moments {
  /** When the first files are to be stored apart. */
  asked?: () => Promise<void>
  /** In the transaction of what is stored apart, after its first rows. */
  staging?: () => Promise<void>
  /** Before it is taken over. */
  staged?: (engine: Engine) => Promise<void>
  /** In the transaction that took it over. */
  adopted?: () => Promise<void>
  /** After that, before what was apart is removed. */
  published?: () => Promise<void>
}

/** Compiles a folder into the database at `file`: staged, however few its files are, unless told otherwise. */
export async function compileStaged(
  file: string,
  folder: string,
  moments: Moments = {},
  input: Partial<CompileInput> = {},
): Promise<CompileResult> {
  const engine = await openSqlite({ file, hash, create: true, writer: 'here', now: () => NOON })
  try {
    return await compileInto(engine, folder, moments, input)
  } finally {
    await engine.close()
  }
}

/** The same, for a memory that is open. In a thread there are no moments inside a transaction. */
export async function compileInto(
  engine: Engine,
  folder: string,
  moments: Moments = {},
  input: Partial<CompileInput> = {},
): Promise<CompileResult> {
  const redactor = await createRedactor({})
  const deps = { hash, now: () => NOON, redact: redactor.redact, author: 'tester' }
  const spool = <T>() => createSpool<T>(join(folder, '..', 'spool'), 1_000_000)
  return compile(
    { ...deps, store: watched(engine, moments), createSpool: spool },
    {
      ...{ root: 'notes', message: 'compile', stagedFrom: 0, ...input },
      folder: openSourceFolder({ root: folder, scope: '', maxNodeTokens: 1000, redaction: redactor }),
    },
  )
}

function watched(engine: Engine, { asked, staging, staged, adopted, published }: Moments): Store {
  const { store } = engine
  return {
    ...store,
    async stage(operation, input, call) {
      const source = asked ? delayed(call?.source ?? [], asked) : call?.source
      const answer = await store.stage?.(after(operation, staging), input, { ...call, ...given({ source }) })
      if (!answer) throw new Error('the engine cannot stage')
      await staged?.(engine).catch(async (error) => {
        await answer.discard()
        throw error
      })
      return answer
    },
    async write(operation, input, call) {
      if (call?.staged === undefined) return store.write(operation, input, call)
      const answer = await store.write(after(operation, adopted), input, call)
      await published?.()
      return answer
    },
  }
}

async function* delayed(
  source: AsyncIterable<unknown> | Iterable<unknown>,
  moment: () => Promise<void>,
): AsyncGenerator<unknown> {
  await moment()
  yield* source
}

function after<I, O>(operation: Operation<I, O>, moment: (() => Promise<void>) | undefined): Operation<I, O> {
  return {
    ...operation,
    async run(tx, input, tools) {
      const result = await operation.run(tx, input, tools)
      await moment?.()
      return result
    },
  }
}

const PARENT = '(SELECT p.id FROM nodes p WHERE p.key = x.parent_key) AS parent'
const TEXT = '(SELECT hex(t.digest) FROM texts t WHERE t.id = x.text_id) AS text'
const id = (key: string): string => `(SELECT n.id FROM nodes n WHERE n.key = ${key})`

/** Everything that is stored, without the numbers that only rows know each other by. */
const STORED = {
  order: 'SELECT id FROM nodes ORDER BY key',
  nodes: `SELECT x.id, d.kind, d.collection, d.name AS document, ${PARENT}, ${TEXT}, x.position, x.type, x.format, x.tokens,
    hex(x.mark) AS mark, x.removed_in, x.label, x.links, x.name FROM nodes x JOIN documents d ON d.id = x.document_id`,
  versions: `SELECT ${id('x.node_key')} AS id, x.snapshot_id, x.op, ${PARENT}, ${TEXT}, x.position, x.type, x.format, x.label, x.links
    FROM versions x`,
  heat: `SELECT ${id('x.node_key')} AS id, x.value, x.clock, x.pinned, x.accesses, x.coldness, x.told FROM heat x`,
  links: `SELECT ${id('x.source_key')} AS source_node, ${id('x.target_key')} AS target_node, x.origin, x.label, x.name,
    x.source, x.target_id, x.weight, x.place, x.asleep, x.file, x.section FROM links x`,
  texts: 'SELECT hex(digest) AS digest, refs, body FROM texts',
  documents: `SELECT kind, collection, name, state, text_id IS NULL AS no_text, hex(digest) AS digest, revision, attributes
    FROM documents`,
  names: `SELECT d.collection, d.name AS document, x.name, x.is_alias FROM document_names x JOIN documents d ON d.id = x.document_id`,
  counters: 'SELECT name, value FROM counters WHERE value <> 0',
  files: 'SELECT root, path, size, hex(digest) AS digest, parser, reason FROM files',
  space: 'SELECT head_id, hex(state_digest) AS digest, home FROM spaces',
  snapshots: 'SELECT id, parent_id, cursor_hash, author, operation, message, root FROM snapshots',
  changes: 'SELECT kind, snapshot_id FROM changes',
  words: `SELECT term, ${id('doc')} AS id, col, "offset" FROM temp.words`,
  lengths: `SELECT ${id('x.id')} AS id, hex(x.sz) AS lengths FROM node_index_docsize x`,
}

export function storedIn(file: string): Record<keyof typeof STORED, unknown[]> {
  const db = new Sqlite(file)
  try {
    db.exec(`CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, node_index, 'instance')`)
    const tables = Object.entries(STORED).map(([name, sql]) => {
      const rows = db.prepare(sql).raw().all()
      const sorted = name === 'order' ? rows : rows.map((row) => JSON.stringify(row)).sort()
      return [name, sorted]
    })
    return Object.fromEntries(tables)
  } finally {
    db.close()
  }
}
