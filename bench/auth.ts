/**
 * What a team server costs its clients, and what they cost each other. `npm run bench -- auth [--part all|key|token|login|writes|fair|principals]
 * [--size 10k]`: tables on stderr, JSON on stdout.
 *
 * - key: what a key adds to a request;
 * - token: what an access token adds to a request;
 * - login: calls alone, and while many others try passwords;
 * - writes: what audit and quotas add to a write;
 * - fair: ordinary clients alone, and beside one that asks as fast as it can
 *   (`--only 'searches,remembers' --rounds 10 --seconds 4 --clients 10 --rate 5 --connections 64`);
 * - principals: how much memory a server takes with many clients, each with a space of its own (`--principals 1000`).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openMemory } from '../src/index.ts'
import { fairLines, judgeFairness } from './auth/fair/figures.ts'
import { measureFairness, SITUATIONS } from './auth/fair/measure.ts'
import { createFairTeam } from './auth/fair/team.ts'
import { judgeKeyCost, judgeRequests, keyCostLines, measureKeyCost, requestLines } from './auth/key-cost.ts'
import { judgeLoginFlood, loginFloodLines, measureLoginFlood } from './auth/login-flood.ts'
import { measureRequests } from './auth/requests.ts'
import { createTeamFolder } from './auth/team.ts'
import { judgeWriteCost, measureWriteCost, writeCostLines } from './auth/write-cost.ts'
import { nodesOf, writeCorpus } from './engine/corpus.ts'
import { type Verdict, verdictLines } from './engine/table.ts'
import { measureServer } from './spaces/server.ts'
import { judgePrincipals, serverLines } from './spaces/server-figures.ts'
import { makeTeamFolder } from './spaces/team-folder.ts'

const { values } = parseArgs({
  options: {
    part: { type: 'string', default: 'all' },
    size: { type: 'string', default: '10k' },
    clients: { type: 'string', default: '10' },
    /** Calls of each ordinary client in a second. */
    rate: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '64' },
    /** Names of abusers. Default: all. */
    only: { type: 'string' },
    principals: { type: 'string', default: '1000' },
  },
})

interface Part {
  figures: unknown
  verdicts: Verdict[]
  lines: string[]
}

const PARTS: Record<string, (folder: string) => Promise<Part>> = {
  async key(folder) {
    const figures = await measureKeyCost(await createTeamFolder(folder, await compiled(folder)))
    return { figures, verdicts: judgeKeyCost(figures), lines: keyCostLines(figures) }
  },
  async token(folder) {
    const figures = await measureRequests(await createTeamFolder(folder, await compiled(folder)), 'accounts')
    return { figures, verdicts: judgeRequests('a token', figures), lines: requestLines(figures) }
  },
  async login(folder) {
    const figures = await measureLoginFlood(await createTeamFolder(folder, await compiled(folder)))
    return { figures, verdicts: judgeLoginFlood(figures), lines: loginFloodLines(figures) }
  },
  async writes(folder) {
    const figures = await measureWriteCost(folder, await compiled(folder))
    return { figures, verdicts: judgeWriteCost(figures), lines: writeCostLines(figures) }
  },
  async fair(folder) {
    const team = await createFairTeam(folder, await compiled(folder), Number(values.clients))
    const figures = await measureFairness(team, {
      situations: SITUATIONS.filter(({ name }) => values.only?.split(',').includes(name) ?? true),
      rate: Number(values.rate),
      rounds: Number(values.rounds),
      roundMs: 1000 * Number(values.seconds),
      connections: Number(values.connections),
    })
    return { figures, verdicts: judgeFairness(figures), lines: fairLines(figures) }
  },
  async principals(folder) {
    const count = Number(values.principals)
    const used = Array.from({ length: count + 1 }, (_, space) => space)
    const { dir, keyed } = await makeTeamFolder(folder, { spaces: count + 1, nodes: 60, used })
    const figures = await measureServer({ dir, keyed, active: count, rounds: 3 })
    const lines = serverLines([{ name: `${count} principals`, figures }])
    return { figures, verdicts: judgePrincipals(figures, count), lines }
  },
}

const parts: Record<string, Omit<Part, 'lines'>> = {}
for (const [name, measure] of Object.entries(PARTS)) {
  if (values.part !== 'all' && values.part !== name) continue
  const { lines, ...part } = await inFolder(measure)
  parts[name] = part
  process.stderr.write(`${[name, ...lines, '', ...verdictLines(part.verdicts), ''].join('\n')}\n`)
}
const verdicts = Object.values(parts).flatMap((part) => part.verdicts)
const lost = verdicts.filter(({ holds }) => !holds).map(({ target, measured }) => `${target}: ${measured}`)
process.stdout.write(
  `${JSON.stringify({ size: values.size, load: loadavg()[1], ...parts, lost }, null, 2)}\n`,
)

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A memory of made-up notes. */
async function compiled(folder: string): Promise<string> {
  const notes = join(folder, 'notes')
  writeCorpus(notes, nodesOf(values.size))
  await using memory = await openMemory({ db: notes, settings: { author: 'bench' } })
  await memory.compile(notes)
  return memory.path
}
