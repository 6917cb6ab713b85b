import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import Sqlite from 'better-sqlite3'
import { MemoryError } from '../../src/core/errors.ts'
import { erase } from '../../src/core/history/erase.ts'
import { type PruneStepResult, pruneStep } from '../../src/core/history/prune-step.ts'
import { findTail } from '../../src/core/history/prune-tail.ts'
import type { Engine, ReadTx } from '../../src/core/port/store.ts'
import { findLease } from '../../src/core/rows/leases.ts'
import { documentAt } from '../../src/core/write/documents.ts'
import { startRescan } from '../../src/runtime/compile/rescan.ts'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { migrate } from '../../src/store/sqlite/database/migrate.ts'
import { openWriter } from '../../src/store/sqlite/database/open.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { migrations } from '../../src/store/sqlite/migrations/index.ts'
import { recordingLog } from './recording-log.ts'
import { compileStaged } from './staged.ts'
import { addNodes, commit, hash, note, put } from './store-changes.ts'
import { NOON } from './store-heat.ts'

/** Programs that tests run in processes of their own; `store-children.ts` starts them. */
export interface ProgramInput {
  file: string
  name?: string
  count?: number
  sql?: string
  folder?: string
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

/** Synchronous: a line that was said is in the pipe, even if the process is killed right after. */
function say(line: string): void {
  writeSync(1, `${line}\n`)
}

/** Until the parent writes a line, or closes its end. */
async function told(): Promise<void> {
  await lines.next()
}

const open = (file: string): Promise<Engine> => openSqlite({ file, hash, create: true, writer: 'here' })

const COUNTER = { kind: 'key', key: 'counter' } as const

async function count(tx: ReadTx): Promise<number> {
  const document = await documentAt(tx, COUNTER, 'text')
  return document ? Number(document.text) : 0
}

const programs: Record<string, (input: ProgramInput) => Promise<void>> = {
  /** Writes notes until it is killed and says the id of each that was acknowledged. */
  async 'write-forever'({ file, name = '' }) {
    await using memory = await openMemory({ db: file })
    for (let at = 0; at < 100_000; at++) say((await memory.write({ payload: `${name} ${at} written` })).id)
  },

  /** The same with `count` writers at once; each note has a heading and a list. */
  async 'write-together'({ file, name = '', count: writers = 1 }) {
    await using memory = await openMemory({ db: file })
    const write = async (writer: number): Promise<void> => {
      for (let at = 0; at < 100_000; at++) {
        const payload = `# ${name} ${writer} ${at}\n\n- written\n- together\n`
        say((await memory.write({ payload })).id)
      }
    }
    await Promise.all(Array.from({ length: writers }, (_, at) => write(at)))
  },

  /** Prunes in very small steps until it is killed, and says after each that it did. */
  async 'prune-slowly'({ file }) {
    const { store } = await open(file)
    let tail = await store.read((tx) => findTail(tx, { since: Date.now(), last: 1 }))
    while (tail) {
      const step: PruneStepResult = await store.write(pruneStep, { tail, isFirst: false, versionsAtOnce: 2 })
      tail = step.tail === 'moved' ? undefined : (step.tail ?? undefined)
      say('pruned')
    }
  },

  /** Increments one counter and adds one note, `count` times. */
  async increment({ file, name = '', count: times = 0 }) {
    const { store, close } = await open(file)
    say('ready')
    await told()
    for (let at = 0; at < times; at++) {
      await commit(store, async (tx, id) => {
        await put(tx, id, COUNTER, String((await count(tx)) + 1))
        const document = await put(tx, id, note(`${name}-${at}`))
        await addNodes(tx, id, document.id, [{ id: `${name}-${at}`, text: `${name} ${at}` }])
      })
    }
    await close()
    say('done')
  },

  /** Reads until told to stop; the counter must never go back, and what belongs together must be together. */
  async 'read-until-told'({ file }) {
    const { store, close } = await open(file)
    let isStopped = false
    const stop = told().then(() => {
      isStopped = true
    })
    say('ready')
    let seen = 0
    let reads = 0
    for (; !isStopped && reads < 1_000_000; reads++) {
      const { counter, nodes } = await store.read(async (tx) => ({
        counter: await count(tx),
        nodes: (await tx.summary({ hot: 0.5, cold: 0.1 })).counters.nodes ?? 0,
      }))
      if (counter < seen || counter !== nodes) throw new Error(`torn read: ${seen} ${counter} ${nodes}`)
      seen = counter
      await new Promise((resolve) => setImmediate(resolve))
    }
    await stop
    await close()
    say(`read ${reads}`)
  },

  /** Holds the write lock until told. */
  async 'hold-lock'({ file }) {
    const db = new Sqlite(file)
    db.exec('BEGIN IMMEDIATE')
    say('holding')
    await told()
    db.exec('ROLLBACK')
    db.close()
  },

  /** Holds a read transaction until told. */
  async 'hold-read'({ file }) {
    const db = new Sqlite(file, { readonly: true })
    db.exec('BEGIN')
    db.prepare('SELECT count(*) FROM nodes').get()
    say('holding')
    await told()
    db.exec('ROLLBACK')
    db.close()
  },

  /** Erases a note, and is killed before anything is overwritten on disk. */
  async 'erase-and-die'({ file, name = '' }) {
    const { store } = await open(file)
    const scrub = async (): Promise<never> => {
      process.kill(process.pid, 'SIGKILL')
      return new Promise(() => undefined)
    }
    const deps = { hash, now: Date.now, redact: (text: string) => text, author: 'tester' }
    await erase({ store, maintenance: { scrub }, ...deps }, { kind: 'note', id: name })
  },

  /** Compiles a folder, and stops at the moment `name` until it is killed. */
  async 'compile-staged'({ file, name = '', folder = '' }) {
    const stop = async (): Promise<void> => {
      say('here')
      await told()
    }
    await compileStaged(file, folder, { [name]: stop })
  },

  /** In the middle of a big write until told. */
  async 'write-slowly'({ file }) {
    const { store, close } = await open(file)
    await commit(store, async (tx, id) => {
      const document = await put(tx, id, note('slow'))
      const nodes = Array.from({ length: 2000 }, (_, at) => ({ id: `slow-${at}`, text: `slow ${at}` }))
      await addNodes(tx, id, document.id, nodes)
      say('writing')
      await told()
    })
    await close()
    say('done')
  },

  /** Creates the memory when told. */
  async create({ file }) {
    say('ready')
    await told()
    const { store, close } = await open(file)
    await commit(store, (tx, id) => put(tx, id, note(String(process.pid))))
    await close()
    say('done')
  },

  /** Adds a migration to the released ones when told. */
  async migrate({ file, sql = '' }) {
    const db = openWriter({ file })
    say('ready')
    await told()
    migrate(db, 0, [...migrations, sql])
    db.close()
    say('done')
  },

  /** Lets `count` hours pass, one after the other, as fast as it can. */
  async tick({ file, count: hours = 0 }) {
    let now = NOON
    await using memory = await openMemory({ db: file, now: () => now })
    say('ready')
    await told()
    for (let hour = 1; hour <= hours; hour++) {
      now = NOON + hour * 3_600_000
      await memory.tick()
    }
    say('done')
  },

  /** Keeps the memory of a folder in step with it until told; says what looks found, or that another does it. */
  async rescan({ file: folder }) {
    await using memory = await openMemory({ db: folder })
    const { store, close } = await open(memory.path)
    const rescan = startRescan({
      compile: memory.compile,
      store,
      sourceRoot: folder,
      settings: () => ({ enabled: true, intervalMs: 300, settleMs: 20 }),
      now: Date.now,
      log: recordingLog().log,
      rescanLog({ added, modified, removed }) {
        if (added + modified + removed > 0) say(`looked ${JSON.stringify({ added, modified, removed })}`)
      },
      holder: String(process.pid),
    })
    if ((await holderOf(store)) !== String(process.pid)) say('waits')
    await told()
    await rescan.stop()
    await close()
    say('stopped')
  },

  /** Says how writing turned out, and when told, how it did three times more. */
  async 'write-when-permitted'({ file }) {
    await using memory = await openMemory({ db: file })
    const write = async (payload: string): Promise<void> =>
      say(await outcome(() => memory.write({ payload }).then(() => 'written')))
    await write('too early')
    await told()
    for (const payload of ['first', 'second', 'third']) await write(payload)
  },

  /** Says how reading and then writing turned out, each on a line. */
  async attempt({ file }) {
    say(
      await outcome(async () => {
        await using memory = await openMemory({ db: file, create: false })
        const { nodes } = await memory.overview()
        return `${nodes.total} nodes, ${(await memory.doctor()).status}`
      }),
    )
    say(
      await outcome(async () => {
        await using memory = await openMemory({ db: file })
        await memory.write({ payload: 'something new' })
        return 'written'
      }),
    )
  },
}

/** Who looks at the source, once somebody does. */
async function holderOf(store: Engine['store']): Promise<string> {
  for (;;) {
    const lease = await store.read((tx) => findLease(tx, 'rescan', Date.now()))
    if (lease) return lease.holder
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function outcome(work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof MemoryError) return `${error.code}: ${error.message}`
    return `unexpected ${error instanceof Error ? error.stack : String(error)}`
  }
}

const [program = '', input = '{}'] = process.argv.slice(2)
await programs[program]?.(JSON.parse(input))
process.stdin.destroy()
