import { setTimeout as sleep } from 'node:timers/promises'
import { machineBusyMs } from '../../engine/machine.ts'
import { processorClock } from '../../engine/timing.ts'
import { type ProcessorTime, processorTime } from '../../serve/server-process.ts'
import type { AbuseOrder, AbuseReport } from './abuser.ts'
import { startClients } from './clients.ts'
import { type FairFigures, figuresOf, type Pair, type Round } from './figures.ts'
import type { OrdinaryPlan, OrdinaryReport } from './ordinary.ts'
import type { Abuse } from './requests.ts'
import { type FairTeam, SPACES, serveFairly } from './team.ts'

/** One abuser beside the ordinary clients. */
export interface Situation {
  name: string
  abuse: Abuse
  /** `same`: the space of the ordinary clients. */
  space: 'same' | 'other'
  /** Whether its calls count for a rate limit: then nearly all of them are refused. */
  isLimited: boolean
}

export const SITUATIONS: Situation[] = [
  { name: 'beyond its limit', abuse: 'recalls', space: 'same', isLimited: true },
  { name: 'recalls', abuse: 'recalls', space: 'same', isLimited: false },
  { name: 'remembers', abuse: 'remembers', space: 'same', isLimited: false },
  { name: 'searches', abuse: 'searches', space: 'same', isLimited: false },
  { name: 'searches, another space', abuse: 'searches', space: 'other', isLimited: false },
  { name: 'large values', abuse: 'large values', space: 'same', isLimited: false },
  { name: 'large notes', abuse: 'large notes', space: 'same', isLimited: false },
  { name: 'large notes, another space', abuse: 'large notes', space: 'other', isLimited: false },
]

export interface FairPlan {
  situations: readonly Situation[]
  /** Of one ordinary client, a second. */
  rate: number
  rounds: number
  roundMs: number
  /** Of the abuser. */
  connections: number
}

const SETTLE_MS = 500
/** Cores that other programs use while it is worth beginning, and how long to wait for that. */
const CALM_CORES = 0.3
const CALM_LOOK_MS = 250
const CALM_WAIT_MS = 20_000

/** The ordinary clients alone, then beside an abuser, then alone again …: every round of an abuser has a quiet one right before it. */
export async function measureFairness(team: FairTeam, plan: FairPlan): Promise<FairFigures[]> {
  const server = await serveFairly(team, plan)
  const ordinary = startClients('ordinary')
  const abuser = startClients('abuser')
  const pid = server.child.pid ?? 0
  const url = (space: string): string => server.url.replace('{space}', space)
  const orderOf = ({ abuse, space, isLimited }: Situation): AbuseOrder => ({
    url: url(SPACES[space]),
    key: team[isLimited ? 'limited' : 'unlimited'][space],
    abuse,
    connections: plan.connections,
  })

  async function round(situation?: Situation): Promise<Round> {
    if (situation) abuser.tell(orderOf(situation))
    await sleep(SETTLE_MS)
    const stopClock = startClock(pid)
    const { times, processorMs } = await ordinary.ask<OrdinaryReport>({ forMs: plan.roundMs })
    const used = stopClock()
    const { answers, processorMs: abuserMs } = await abuser.ask<AbuseReport>('stop')
    await sleep(SETTLE_MS)
    const abuserCores = abuserMs / (used.ms + SETTLE_MS)
    const ordinaryCores = processorMs / used.ms
    return {
      times,
      answers,
      seconds: (used.ms + SETTLE_MS) / 1000,
      cores: {
        ...{ server: used.server.all / used.ms, main: used.server.main / used.ms },
        ...{ ordinary: ordinaryCores, abuser: abuserCores },
        others: Math.max(0, used.rest / used.ms - ordinaryCores - abuserCores),
      },
    }
  }

  try {
    const begin: OrdinaryPlan = { url: url(SPACES.same), keys: team.ordinary, everyMs: 1000 / plan.rate }
    await ordinary.ask(begin)
    await round()
    const pairs = new Map<string, Pair[]>()
    for (let at = 0; at < plan.rounds; at++)
      for (const situation of plan.situations) {
        await calm()
        const pair = { quiet: await round(), abused: await round(situation) }
        pairs.set(situation.name, [...(pairs.get(situation.name) ?? []), pair])
      }
    return [...pairs].map(([name, rounds]) => figuresOf(name, rounds))
  } finally {
    for (const child of [ordinary, abuser]) child.end()
    await server.close()
  }
}

/** Milliseconds of the processor since now: of the server, and of everything else but this process. */
function startClock(pid: number) {
  const at = () => ({
    ...{ ms: performance.now(), server: processorTime(pid), own: processorClock(), busy: machineBusyMs() },
  })
  const before = at()
  return () => {
    const after = at()
    const server: ProcessorTime = {
      all: after.server.all - before.server.all,
      main: after.server.main - before.server.main,
    }
    const rest = after.busy - before.busy - server.all - (after.own - before.own)
    return { ms: after.ms - before.ms, server, rest }
  }
}

/** Waits for a moment in which other programs do little; not forever. */
async function calm(): Promise<void> {
  const until = performance.now() + CALM_WAIT_MS
  while (performance.now() < until) {
    const before = machineBusyMs()
    await sleep(CALM_LOOK_MS)
    if (machineBusyMs() - before < CALM_CORES * CALM_LOOK_MS) return
  }
}
