import { milliseconds, table, type Verdict, verdict } from '../engine/table.ts'
import type { Call } from './calls.ts'
import type { DuringCompile } from './during-compile.ts'
import type { HttpLoad } from './http.ts'
import type { IdleConnections } from './idle-connections.ts'
import type { LargeWrites } from './large-writes.ts'
import type { Searches } from './searches.ts'
import type { Start, Starts } from './starts.ts'
import type { Subscribers } from './subscribers.ts'
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
}

/** Memory that came back, as far as a collector gives any back. */
const MEMORY_BACK = 1.25

export function judge(figures: ServeFigures): Verdict[] {
  return [...judgeAnswers(figures), ...judgeLoad(figures)]
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

export function figureLines({ starts, calls, http, ...load }: ServeFigures): string[] {
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
    ...Object.entries(load).map(([name, figures]) => `${name}: ${JSON.stringify(figures)}`),
  ]
}
