/**
 * What pruning a long history costs. `npm run bench -- history [--snapshots 1000000] [--nodes 10000] [--days 400]`: a
 * line on stderr, JSON on stdout. While one process prunes, another one writes and searches.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { child } from './engine/child.ts'
import { fillHistory } from './history/fill.ts'
import type { OthersFigures } from './history/other.ts'
import type { PruneFigures } from './history/prune.ts'

const { values } = parseArgs({
  options: {
    snapshots: { type: 'string', default: '1000000' },
    nodes: { type: 'string', default: '10000' },
    days: { type: 'string', default: '400' },
    keep: { type: 'string', default: '90d' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
try {
  const db = join(folder, 'memory.db')
  const size = { snapshots: Number(values.snapshots), nodes: Number(values.nodes), days: Number(values.days) }
  const started = performance.now()
  await fillHistory(db, size)
  const fillMs = performance.now() - started
  const figures: PruneFigures = child(join(import.meta.dirname, 'history', 'prune.ts'), [db, values.keep])
  print(figures)
  process.stdout.write(`${JSON.stringify({ ...size, keep: values.keep, fillMs, ...figures }, null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function print({ pruned, ms, dryRunMs, peakBytes, others, alone, costMs }: PruneFigures): void {
  const mb = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`
  const line = ({ count, longestMs, medianMs }: OthersFigures['write'], what: string): string =>
    `${count} ${what}, median ${medianMs.toFixed(1)} ms, longest ${longestMs.toFixed(0)} ms`
  const { snapshots, versions, bytesBefore, bytesAfter } = pruned
  const { write, search } = others
  process.stderr.write(`pruned ${snapshots} snapshots and ${versions} versions in ${(ms / 1000).toFixed(1)} s
dry run ${(dryRunMs / 1000).toFixed(1)} s, inspect ${costMs.toFixed(0)} ms, memory ${mb(peakBytes)}
size ${mb(bytesBefore)} → ${mb(bytesAfter)}
another process meanwhile: ${line(write, 'writes')}, ${line(search, 'searches')}
the same alone: ${line(alone.write, 'writes')}, ${line(alone.search, 'searches')}
`)
}
