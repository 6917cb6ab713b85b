import { milliseconds, table, type Verdict, verdict } from '../engine/table.ts'
import type { Call } from './calls.ts'
import type { DuringCompile } from './during-compile.ts'
import type { HttpLoad } from './http.ts'
import type { IdleConnections } from './idle-connections.ts'
import type { LargeWrites } from './large-writes.ts'
import type { ServerMemory } from './memory.ts'
import type { NoteCost } from './notes.ts'
import type { Searches } from './searches.ts'
import type { Start, Starts } from './starts.ts'
import type { Subscribers } from './subscribers.ts'
import type { Waits } from './waits.ts'
import type { Writers } from './writers.ts'

/** What was measured; parts can be left out. */
export interface ServeFigures {
  starts?: Starts
  calls?: Call[]
  http?: HttpLoad[]
  searches?: Searches
  writers?: Writers
  largeWrites?: LargeWrites[]
  duringCompile?: DuringCompile
  subscribers?: Subscribers
  idle?: IdleConnections
  notes?: NoteCost[]
  memory?: ServerMemory[]
  waits?: Waits
}

/** Milliseconds of all threads of a server, for one note. */
const NOTE_MS = 1.1
/** Of another writer. */
const MOST_WAIT_MS = { firstCompile: 1000, rescan: 250 }
/** MB of anonymous memory. */
const MOST_MB = { idle: 60, loaded: 250, afterResources: 150 }

/** Memory that came back, as far as a collector gives any back. */
const MEMORY_BACK = 1.25

export function judge(figures: ServeFigures): Verdict[] {
  return [...judgeAnswers(figures), ...judgeLoad(figures), ...judgeCosts(figures)]
}

function judgeAnswers({ starts, calls = [], http = [] }: ServeFigures): Verdict[] {
  const nothing = 'at most 1.3 × (nothing over the same stack + the operation)'
  return [
    ...(starts
      ? [
          verdict(
            'from spawn to the first answer: at most 1.5 × an echo, and 60 ms',
            starts.ours.firstAnswerMs - 1.5 * starts.echo.firstAnswerMs,
            60,
            ' ms above 1.5 × the echo',
          ),
        ]
      : []),
    ...calls.map(({ tool, ratio }) => verdict(`${tool} over stdio: ${nothing}`, ratio, 1.3, ' ×')),
    ...http.map(({ request, ratio }) => verdict(`${request} over HTTP: ${nothing}`, ratio, 1.3, ' ×')),
  ]
}

function judgeLoad({ duringCompile, subscribers, idle }: ServeFigures): Verdict[] {
  return [
    ...(duringCompile
      ? [verdict('search p99 during a compile: at most 3 × idle', duringCompile.ratio, 3, ' ×')]
      : []),
    ...(subscribers
      ? [
          verdict(
            'subscribers that did not learn of the last write: none',
            subscribers.subscribers - subscribers.toldOfLast,
            0,
            '',
          ),
          verdict(
            `memory when they are gone: at most ${MEMORY_BACK} × before`,
            subscribers.memoryMb.after / subscribers.memoryMb.before,
            MEMORY_BACK,
            ' ×',
          ),
        ]
      : []),
    ...(idle
      ? [verdict('idle connections that were not held: none', idle.connections - idle.held, 0, '')]
      : []),
  ]
}

function judgeCosts({ notes = [], memory = [], waits }: ServeFigures): Verdict[] {
  return [
    ...(waits
      ? [
          verdict(
            'a write during the first compile: at most 1 s',
            waits.firstCompileWaitMs,
            MOST_WAIT_MS.firstCompile,
            ' ms',
          ),
          verdict(
            'a write during a rescan of 100 changed files: at most 250 ms',
            waits.rescanWaitMs,
            MOST_WAIT_MS.rescan,
            ' ms',
          ),
        ]
      : []),
    ...notes
      .filter(({ program }) => program === 'this')
      .map(({ tool, era, processorMs }) =>
        verdict(`${tool} over HTTP, ${era}: at most ${NOTE_MS} ms of all cores`, processorMs, NOTE_MS, ' ms'),
      ),
    ...memory
      .filter(({ program }) => program === 'this')
      .flatMap(({ idleMb, loadedMb, afterResourcesMb }) => [
        verdict(`idle: at most ${MOST_MB.idle} MB`, idleMb, MOST_MB.idle, ' MB'),
        verdict(`after 30 s of 8 clients: at most ${MOST_MB.loaded} MB`, loadedMb, MOST_MB.loaded, ' MB'),
        verdict(
          `a minute after every resource was read: at most ${MOST_MB.afterResources} MB`,
          afterResourcesMb,
          MOST_MB.afterResources,
          ' MB',
        ),
      ]),
  ]
}

export function figureLines({ starts, calls, http, notes, memory, ...load }: ServeFigures): string[] {
  return [
    ...(starts
      ? table(Object.values(starts) as Start[], {
          start: (row) => row.program,
          'first answer': (row) => milliseconds(row.firstAnswerMs),
          tools: (row) => milliseconds(row.toolsMs),
          'tools, processor': (row) => (row.toolsCpuMs === null ? '' : milliseconds(row.toolsCpuMs)),
          'first search': (row) => milliseconds(row.firstSearchMs),
        })
      : []),
    ...(calls
      ? table(calls, {
          tool: (row) => row.tool,
          'round trip': (row) => milliseconds(row.roundTripMs),
          nothing: (row) => milliseconds(row.noopMs),
          operation: (row) => milliseconds(row.operationMs),
          ratio: (row) => row.ratio.toFixed(2),
        })
      : []),
    ...(http
      ? table(http, {
          request: (row) => row.request,
          'per second': (row) => Math.round(row.perSecond),
          each: (row) => milliseconds(row.perRequestMs),
          nothing: (row) => milliseconds(row.noopMs),
          operation: (row) => milliseconds(row.operationMs),
          ratio: (row) => row.ratio.toFixed(2),
        })
      : []),
    ...(notes
      ? table(notes, {
          program: (row) => row.program,
          tool: (row) => row.tool,
          era: (row) => row.era,
          'per second': (row) => Math.round(row.perSecond),
          'all cores': (row) => milliseconds(row.processorMs),
          'main thread': (row) => milliseconds(row.mainThreadMs),
        })
      : []),
    ...(memory
      ? table(memory, {
          program: (row) => row.program,
          idle: (row) => megabytes(row.idleMb),
          loaded: (row) => megabytes(row.loadedMb),
          calls: (row) => row.calls,
          'after resources': (row) => megabytes(row.afterResourcesMb),
          'the tree': (row) => milliseconds(row.treeMs),
          'its cores': (row) => milliseconds(row.treeProcessorMs),
        })
      : []),
    ...Object.entries(load).map(([name, figures]) => `${name}: ${JSON.stringify(figures)}`),
  ]
}

const megabytes = (mb: number): string => `${Math.round(mb)} MB`
