/**
 * What a key costs: requests over HTTP to a server of spaces where nobody says who they are and to the same one where every
 * client has a key, in turns, over both eras; and `authenticate` alone. `npm run bench -- auth [--size 10k]`: a table on
 * stderr, JSON on stdout.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openMemory } from '../src/index.ts'
import { openAccounts } from '../src/runtime/spaces/accounts.ts'
import { measureRequests, type RequestCost } from './auth/requests.ts'
import { createTeamFolder, PARENTS, type TeamFolder } from './auth/team.ts'
import { nodesOf, writeCorpus } from './engine/corpus.ts'
import { milliseconds, table, verdict, verdictLines } from './engine/table.ts'
import { median, timed } from './engine/timing.ts'

const MOST_ADDED_MS = 0.15
const AUTHENTICATIONS = 5000
const WARM_UP = 500

const { values } = parseArgs({ options: { size: { type: 'string', default: '10k' } } })
const work = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
try {
  const folder = await createTeamFolder(work, await compiled(join(work, 'notes')))
  const authenticate = await measureAuthenticate(folder)
  const requests = await measureRequests(folder)
  const verdicts = requests.map(({ tool, era, addedMs }) =>
    verdict(`${tool}, ${era}: a key adds at most ${MOST_ADDED_MS} ms`, addedMs, MOST_ADDED_MS, ' ms'),
  )
  const lines = [
    ...requestLines(requests),
    '',
    ...authenticateLines(authenticate),
    '',
    ...verdictLines(verdicts),
  ]
  process.stderr.write(`${lines.join('\n')}\n`)
  process.stdout.write(
    `${JSON.stringify({ size: values.size, authenticate, requests, verdicts }, null, 2)}\n`,
  )
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function compiled(notes: string): Promise<string> {
  writeCorpus(notes, nodesOf(values.size))
  await using memory = await openMemory({ db: notes, settings: { author: 'bench' } })
  await memory.compile(notes)
  return memory.path
}

interface Authenticated {
  /** Of a key that a user was given, and of one with as many keys above it as there can be. */
  ms: number
  deepMs: number
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

function requestLines(rows: RequestCost[]): string[] {
  return table(rows, {
    tool: (row) => row.tool,
    era: (row) => row.era,
    off: (row) => milliseconds(row.offMs),
    keys: (row) => milliseconds(row.keysMs),
    added: (row) => milliseconds(row.addedMs),
    ratio: (row) => row.ratio.toFixed(2),
    'off, processor': (row) => milliseconds(row.offProcessorMs),
    'keys, processor': (row) => milliseconds(row.keysProcessorMs),
  })
}

function authenticateLines({ ms, deepMs }: Authenticated): string[] {
  return [
    `authenticate alone: ${ms.toFixed(3)} ms`,
    `authenticate alone, ${PARENTS} keys above it: ${deepMs.toFixed(3)} ms`,
  ]
}
