import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '../../src/index.ts'
import { writeCorpus } from '../engine/corpus.ts'
import { timed } from '../engine/timing.ts'

export interface Waits {
  nodes: number
  firstCompileMs: number
  /** The longest that a note of somebody else took meanwhile. */
  firstCompileWaitMs: number
  rescanMs: number
  rescanWaitMs: number
}

const CHANGED = 100

/** How long another writer waits while a folder is compiled for the first time, and while 100 changed files are. */
export async function measureWaits(nodes: number): Promise<Waits> {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
  try {
    writeCorpus(folder, nodes)
    await using memory = await openMemory({ db: folder })
    const longestWait = async (work: () => Promise<unknown>) => {
      let isDone = false
      let waitMs = 0
      const done = timed(work).finally(() => {
        isDone = true
      })
      for (let at = 0; !isDone; at++)
        waitMs = Math.max(waitMs, await timed(() => memory.write({ payload: `A note ${at}.` })))
      return { ms: await done, waitMs }
    }
    await memory.write({ payload: 'The first note.' })
    const first = await longestWait(() => memory.compile(folder))
    const part = join(folder, 'part-000')
    for (const name of readdirSync(part).slice(0, CHANGED))
      appendFileSync(join(part, name), '\nOne more paragraph.\n')
    const rescan = await longestWait(() => memory.compile(folder))
    return {
      nodes,
      ...{ firstCompileMs: first.ms, firstCompileWaitMs: first.waitMs },
      ...{ rescanMs: rescan.ms, rescanWaitMs: rescan.waitMs },
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
