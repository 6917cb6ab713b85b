import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { percentile } from '../../eval/metrics.ts'
import { openMemory } from '../../src/index.ts'
import { type Clock, processorClock } from '../engine/timing.ts'
import { httpServerOf, startServer } from './http.ts'
import { insertNotes } from './note-rows.ts'

const NOTES = 3000
const WARM_UP = 300
/** Of Linux: what `/proc` counts in. */
const TICKS_PER_SECOND = 100

export interface WriterFigures {
  writers: number
  notesPerSecond: number
  /** Of all threads of the process that stores them; a client's is not in it. */
  processorMsPerNote: number
  p50Ms: number
  p99Ms: number
}

export interface Writers {
  /** The same rows with prepared statements, one transaction each. */
  floor: WriterFigures
  inProcess: WriterFigures[]
  http: WriterFigures[]
}

type Write = (payload: string) => Promise<unknown>

/** Notes that one and eight writers store at the same time, each in a memory of its own, on disk before the answer. */
export async function measureWriters(folder: string): Promise<Writers> {
  const figures: Omit<Writers, 'floor'> = { inProcess: [], http: [] }
  for (const writers of [1, 8]) {
    figures.inProcess.push(await inProcess(join(folder, `writers-here-${writers}.db`), writers))
    figures.http.push(await overHttp(join(folder, `writers-http-${writers}.db`), writers))
  }
  return { floor: floorOf(folder), ...figures }
}

async function inProcess(db: string, writers: number): Promise<WriterFigures> {
  await using memory = await openMemory({ db, settings: { author: 'bench' } })
  return await measure(writers, (payload) => memory.write({ payload }), processorClock)
}

async function overHttp(db: string, writers: number): Promise<WriterFigures> {
  const { client, child, close } = await startServer(httpServerOf(db), writers)
  const write = (payload: string): Promise<string> =>
    client.call('tools/call', { name: 'MemoryWrite', arguments: { payload } })
  try {
    return await measure(writers, write, processorClockOf(child.pid ?? 0))
  } finally {
    await close()
  }
}

function floorOf(folder: string): WriterFigures {
  const times = insertNotes(join(folder, 'writers-here-1.db'), join(folder, 'writers-floor.db'), WARM_UP)
  return figuresOf(1, times.each, { wallMs: times.wallMs, processorMs: times.processorMs })
}

async function measure(writers: number, write: Write, clock: Clock): Promise<WriterFigures> {
  await writeAll(writers, WARM_UP, (at) => write(noteOf(`warm ${at}`)))
  const times: number[] = []
  const [wall, processor] = [performance.now(), clock()]
  await writeAll(writers, NOTES, async (at) => {
    const since = performance.now()
    await write(noteOf(`measured ${at}`))
    times.push(performance.now() - since)
  })
  return figuresOf(writers, times, { wallMs: performance.now() - wall, processorMs: clock() - processor })
}

async function writeAll(
  writers: number,
  count: number,
  write: (at: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const writer = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) await write(at)
  }
  await Promise.all(Array.from({ length: writers }, writer))
}

function noteOf(name: string): string {
  return `Note ${name}: the pump of the second well was replaced, and its pressure is measured each morning before the valves are opened.`
}

function figuresOf(
  writers: number,
  times: number[],
  { wallMs, processorMs }: { wallMs: number; processorMs: number },
): WriterFigures {
  return {
    writers,
    notesPerSecond: (times.length * 1000) / wallMs,
    processorMsPerNote: processorMs / times.length,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
  }
}

/** Of another process, all threads. */
function processorClockOf(pid: number): Clock {
  return () => {
    // The name of the program, in parentheses, may have spaces in it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
  }
}
