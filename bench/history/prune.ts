/** Prunes a memory while another process uses it; JSON on stdout. */
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { PruneResult } from '../../src/core/history/prune.ts'
import { openMemory } from '../../src/index.ts'
import type { OthersFigures } from './other.ts'

export interface PruneFigures {
  pruned: PruneResult
  ms: number
  dryRunMs: number
  /** To say what history costs, before it is pruned. */
  costMs: number
  /** The most memory that the process took. */
  peakBytes: number
  others: OthersFigures
  /** The same process for some seconds before that. */
  alone: OthersFigures
  failing: string[]
}

const ALONE_MS = 5000
const [db = '', keep = '90d'] = process.argv.slice(2)
await using memory = await openMemory({ db, settings: { author: 'bench' } })
const [, costMs] = await timed(() => memory.historyCost())
const [, dryRunMs] = await timed(() => memory.pruneHistory({ keep, dryRun: true }))
let other = fork(join(import.meta.dirname, 'other.ts'), [db])
await once('ready')
await wait(ALONE_MS)
const alone = await stopOther()
other = fork(join(import.meta.dirname, 'other.ts'), [db])
await once('ready')
const [pruned, ms] = await timed(() => memory.pruneHistory({ keep }))
const others = await stopOther()
// Its reads held back what is at the end of the journal.
const { bytesAfter } = await memory.pruneHistory({ keep })
const peakBytes = process.resourceUsage().maxRSS * 1024
const { checks } = await memory.doctor()
const failing = checks
  .filter(({ status }) => status !== 'pass')
  .map(({ name, detail }) => `${name}: ${detail}`)
const figures: PruneFigures = {
  pruned: { ...pruned, bytesAfter },
  alone,
  ms,
  dryRunMs,
  costMs,
  peakBytes,
  others,
  failing,
}
process.stdout.write(JSON.stringify(figures))

function stopOther(): Promise<OthersFigures> {
  const figures = once('figures') as Promise<OthersFigures>
  other.send('stop')
  return figures
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const started = performance.now()
  return [await work(), performance.now() - started]
}

function once(kind: string): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const listen = (message: unknown): void => {
    const [name, value] = message as [string, unknown]
    if (name !== kind) return
    other.off('message', listen)
    resolve(value)
  }
  other.on('message', listen)
  return promise
}
