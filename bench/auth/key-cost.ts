import { openAccounts } from '../../src/runtime/spaces/accounts.ts'
import { milliseconds, table, type Verdict, verdict } from '../engine/table.ts'
import { median, timed } from '../engine/timing.ts'
import { measureRequests, type RequestCost } from './requests.ts'
import { PARENTS, type TeamFolder } from './team.ts'

const MOST_ADDED_MS = 0.15
const AUTHENTICATIONS = 5000
const WARM_UP = 500

export interface KeyCost {
  authenticate: Authenticated
  requests: RequestCost[]
}

export interface Authenticated {
  /** Of a key that a user was given, and of one with as many keys above it as there can be. */
  ms: number
  deepMs: number
}

/** Requests to a server where nobody says who they are and to the same one where every client has a key; and `authenticate` alone. */
export async function measureKeyCost(folder: TeamFolder): Promise<KeyCost> {
  return { authenticate: await measureAuthenticate(folder), requests: await measureRequests(folder, 'keys') }
}

async function measureAuthenticate({ dir, key, deepKey }: TeamFolder): Promise<Authenticated> {
  const accounts = await openAccounts(dir)
  const times = { ms: [] as number[], deepMs: [] as number[] }
  for (let run = -WARM_UP; run < AUTHENTICATIONS; run++) {
    const ms = await timed(() => accounts.authenticate(key))
    const deepMs = await timed(() => accounts.authenticate(deepKey))
    if (run < 0) continue
    times.ms.push(ms)
    times.deepMs.push(deepMs)
  }
  await accounts.close()
  return { ms: median(times.ms), deepMs: median(times.deepMs) }
}

export function judgeKeyCost({ requests }: KeyCost): Verdict[] {
  return judgeRequests('a key', requests)
}

/** Of keys, and of access tokens. */
export function judgeRequests(what: string, requests: RequestCost[]): Verdict[] {
  return requests.map(({ tool, era, addedMs }) =>
    verdict(`${tool}, ${era}: ${what} adds at most ${MOST_ADDED_MS} ms`, addedMs, MOST_ADDED_MS, ' ms'),
  )
}

export function keyCostLines({ authenticate, requests }: KeyCost): string[] {
  return [...requestLines(requests), '', ...authenticateLines(authenticate)]
}

export function requestLines(rows: RequestCost[]): string[] {
  return table(rows, {
    tool: (row) => row.tool,
    era: (row) => row.era,
    off: (row) => milliseconds(row.offMs),
    known: (row) => milliseconds(row.knownMs),
    added: (row) => milliseconds(row.addedMs),
    ratio: (row) => row.ratio.toFixed(2),
    'off, processor': (row) => milliseconds(row.offProcessorMs),
    'known, processor': (row) => milliseconds(row.knownProcessorMs),
  })
}

function authenticateLines({ ms, deepMs }: Authenticated): string[] {
  return [
    `authenticate alone: ${ms.toFixed(3)} ms`,
    `authenticate alone, ${PARENTS} keys above it: ${deepMs.toFixed(3)} ms`,
  ]
}
