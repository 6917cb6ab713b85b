import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { median } from '../engine/timing.ts'
import { INITIALIZE, startClient } from './line-client.ts'

const RUNS = 20
const CHECKOUT = join(import.meta.dirname, '..', '..')
const ECHO = join(import.meta.dirname, 'echo.mjs')
const SEARCH = { name: 'MemorySearch', arguments: { query: 'anything' } }

/** From spawn to answers, each asked as soon as the one before it is there. */
export interface Start {
  program: string
  firstAnswerMs: number
  toolsMs: number
  /** What all its threads took of the processor until then; null where the system does not say. */
  toolsCpuMs: number | null
  firstSearchMs: number
}

export interface Starts {
  echo: Start
  ours: Start
  /** That of another checkout. */
  other?: Start
}

export const serverOf = (notes: string, checkout = CHECKOUT): string[] => [
  join(checkout, 'bin', 'remindb'),
  ...['serve', '--source', notes],
]

/**
 * In turns with an echo, so that a slow moment of the machine meets all of them. `against`: a checkout that is built, which gets the same
 * notes and compiles them itself.
 */
export async function measureStarts(notes: string, against?: string): Promise<Starts> {
  const checkout = against === undefined ? undefined : resolve(against)
  const other = checkout && serverOf(compiledBy(checkout, notes), checkout)
  const programs = [[ECHO], serverOf(notes), ...(other ? [other] : [])]
  const starts: Omit<Start, 'program'>[][] = programs.map(() => [])
  // The first one fills caches that every later one has.
  for (let run = -1; run < RUNS; run++) {
    for (const [at, args] of programs.entries()) {
      const measured = await start(args)
      if (run >= 0) starts[at]?.push(measured)
    }
  }
  const [echo = [], ours = [], others] = starts
  return {
    echo: medians('echo', echo),
    ours: medians('remindb', ours),
    ...(others && { other: medians(`of ${against}`, others) }),
  }
}

/** A copy of the notes with a memory that another checkout made: it may not know how to read one of ours. */
export function compiledBy(checkout: string, notes: string): string {
  const copy = `${notes}-of-other`
  cpSync(notes, copy, { recursive: true, filter: (path) => basename(path) !== '.remindb' })
  const [program = ''] = serverOf(copy, checkout)
  const compile = spawnSync(process.execPath, [program, 'compile', copy], { encoding: 'utf8' })
  if (compile.status !== 0) throw new Error(`${program} cannot compile the notes: ${compile.stderr}`)
  return copy
}

async function start(args: string[]): Promise<Omit<Start, 'program'>> {
  const begin = performance.now()
  const client = startClient(args)
  await client.request('initialize', INITIALIZE)
  const firstAnswerMs = performance.now() - begin
  await client.request('tools/list')
  const toolsMs = performance.now() - begin
  const toolsCpuMs = client.cpuMs()
  await client.request('tools/call', SEARCH)
  const firstSearchMs = performance.now() - begin
  await client.close()
  return { firstAnswerMs, toolsMs, toolsCpuMs, firstSearchMs }
}

function medians(program: string, starts: Omit<Start, 'program'>[]): Start {
  const cpu = starts.flatMap(({ toolsCpuMs }) => toolsCpuMs ?? [])
  return {
    program,
    firstAnswerMs: median(starts.map(({ firstAnswerMs }) => firstAnswerMs)),
    toolsMs: median(starts.map(({ toolsMs }) => toolsMs)),
    toolsCpuMs: cpu.length === 0 ? null : median(cpu),
    firstSearchMs: median(starts.map(({ firstSearchMs }) => firstSearchMs)),
  }
}
