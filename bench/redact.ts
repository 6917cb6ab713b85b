/**
 * What redaction costs: plain texts and hostile ones side by side, beside the least that must be done, a loop over the characters.
 * `npm run bench -- redact [--size 1] [--runs 5]`: a table on stderr, JSON on stdout. Times are of the processor, in milliseconds for each
 * megabyte: they say the same on a machine that has other things to do.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openMemory } from '../src/index.ts'
import { createRedactor } from '../src/ingest/redact/redactor.ts'
import { table } from './engine/table.ts'
import { chanceTexts } from './redact/chance.ts'
import { filled, hostilePieces, KNOWN, plainPieces } from './redact/texts.ts'

const MEGABYTE = 1024 * 1024
/** The dearest hostile texts, which are shown one by one. */
const SHOWN = 12
/** How many texts are made by chance, of two seeds. */
const CHANCE_TEXTS = 600
const SEEDS = [1, 2]
/** Prose and documentation. */
const PLAIN_REMEMBERED = 2

interface Cost {
  text: string
  ms: number
}

const { values } = parseArgs({
  options: { size: { type: 'string', default: '1' }, runs: { type: 'string', default: '5' } },
})
const size = Number(values.size) * MEGABYTE
const runs = Number(values.runs)
const { redact } = await createRedactor({})

const plain = Object.entries(plainPieces()).map(([text, piece]) => ({ text, piece }))
const hostile = hostilePieces().map((piece) => ({ text: piece.slice(0, 40), piece }))
// Until the compiler has seen everything, its work would be measured too.
for (const { piece } of [...plain, ...hostile]) redact(filled(piece, MEGABYTE / 32))

const plainCosts = plain.map(({ text, piece }) => ({ text, ms: costOf(filled(piece, size)) }))
/** A little of each shows which are dear; these are measured whole. */
const candidates = hostile
  .map((one) => ({ ...one, ms: costOf(filled(one.piece, MEGABYTE / 8)) }))
  .sort((a, b) => b.ms - a.ms)
const hostileCosts = candidates
  .filter(({ text }, at) => at < 2 * SHOWN || KNOWN.includes(text))
  .map(({ text, piece }) => ({ text, ms: costOf(filled(piece, size)) }))
  .sort((a, b) => b.ms - a.ms)
const chanceCosts = SEEDS.flatMap((seed) => chanceTexts(seed, CHANCE_TEXTS, MEGABYTE / 8))
  .map(({ pattern, text }) => ({ text: pattern.slice(0, 40), ms: costOf(text) }))
  .sort((a, b) => b.ms - a.ms)
const dearest = hostile.find(({ text }) => text === hostileCosts[0]?.text)?.piece ?? ''
const result = {
  size,
  floor: best(() => loop(filled(plain[0]?.piece ?? '', size))),
  plain: plainCosts,
  known: hostileCosts.filter(({ text }) => KNOWN.includes(text)),
  hostile: hostileCosts.slice(0, SHOWN),
  chance: chanceCosts.slice(0, SHOWN),
  chance_texts: chanceCosts.length,
  hostile_texts: candidates.length,
  hostile_median: candidates[candidates.length >> 1]?.ms,
  twice_as_long: costOf(filled(dearest, 2 * size)) / costOf(filled(dearest, size)),
  remembered: await rememberCosts(),
}
const base = Math.max(...plainCosts.map(({ ms }) => ms))
process.stderr.write(`${linesOf().join('\n')}\n`)
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)

/** For each megabyte. */
function costOf(text: string): number {
  return best(() => redact(text)) / (text.length / MEGABYTE)
}

function best(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

function loop(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at)
  return sum
}

/** The same through a door: all that a caller waits for when a megabyte is remembered. */
async function rememberCosts(): Promise<Cost[]> {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
  await using memory = await openMemory({ db: join(folder, 'memory.db'), settings: { author: 'bench' } })
  try {
    const costs: Cost[] = []
    const pieces = [
      ...plain.slice(0, PLAIN_REMEMBERED),
      ...[...KNOWN, hostileCosts[0]?.text ?? ''].map((text) => ({ text, piece: text })),
    ]
    for (const { text, piece } of pieces) {
      await memory.keys.remember({
        key: `warm ${text}`.replaceAll(/\W/g, '-'),
        value: filled(piece, MEGABYTE),
      })
      const before = process.cpuUsage()
      await memory.keys.remember({
        key: `text ${text}`.replaceAll(/\W/g, '-'),
        value: filled(piece, MEGABYTE),
      })
      const { user, system } = process.cpuUsage(before)
      costs.push({ text, ms: (user + system) / 1000 })
    }
    return costs
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function linesOf(): string[] {
  const of = (kind: string, costs: readonly Cost[]) => costs.map((cost) => ({ kind, ...cost }))
  const rows = [
    { kind: 'floor', text: 'a loop over the characters', ms: result.floor },
    ...of('plain', plainCosts),
    ...of('known', result.known),
    ...of('hostile', result.hostile),
    ...of('by chance', result.chance),
    ...of('remember', result.remembered),
  ]
  return [
    ...table(rows, {
      what: ({ kind }) => kind,
      text: ({ text }) => JSON.stringify(text),
      'ms/MB': ({ ms }) => ms.toFixed(1),
      'of the dearest plain one': ({ kind, ms }) => (kind === 'remember' ? '' : (ms / base).toFixed(2)),
    }),
    `${result.hostile_texts} hostile texts, half of them below ${result.hostile_median?.toFixed(1)} ms/MB; ` +
      `the dearest takes ${result.twice_as_long.toFixed(2)} times as long for each megabyte when it is twice as long`,
    verdict(),
  ]
}

function verdict(): string {
  const over = (costs: readonly Cost[]) => costs.filter(({ ms }) => ms > 2 * base).length
  const dearestOf = (costs: readonly Cost[]) => Math.max(...costs.map(({ ms }) => ms))
  const most =
    dearestOf(result.remembered.slice(PLAIN_REMEMBERED)) /
    dearestOf(result.remembered.slice(0, PLAIN_REMEMBERED))
  return (
    `a hostile megabyte costs at most twice the dearest plain one: to remember, the most was ${most.toFixed(2)} times; ` +
    `to redact, ${over(candidates)} of ${candidates.length} texts take more, and ${over(chanceCosts)} of ${chanceCosts.length} made by chance`
  )
}
