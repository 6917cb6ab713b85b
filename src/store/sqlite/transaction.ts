import type { ReadTx, WriteTx } from '../../core/store.ts'
import { changeRows } from './change-rows.ts'
import { changeQueries } from './changes.ts'
import type { Context } from './context.ts'
import { documentReads, documentWrites } from './documents.ts'
import { fileReads, fileWrites } from './files.ts'
import { historyRemovals } from './forget-history.ts'
import { healthReads, healthWrites } from './health.ts'
import { heatReads, heatWrites } from './heat.ts'
import { leaseWrites } from './leases.ts'
import { nodeReads } from './nodes.ts'
import { overlayWrites } from './overlays.ts'
import { overviewReads } from './overview.ts'
import { snapshotReads, snapshotWrites } from './snapshots.ts'
import type { Sync } from './statements.ts'
import { createTally } from './tally.ts'
import { textQueries } from './texts.ts'
import { versionReads } from './versions.ts'

/** Everything a read can ask, on one handle. */
export function readQueries(context: Context): Sync<ReadTx> {
  const texts = textQueries(context)
  return {
    ...documentReads(context, texts),
    ...fileReads(context),
    ...nodeReads(context),
    ...heatReads(context),
    ...snapshotReads(context),
    ...versionReads(context),
    ...overviewReads(context),
    ...healthReads(context),
    texts: texts.texts,
  }
}

/** Everything a write can do, on the writer's handle. `begin` and `finish` frame a transaction. */
export function writeQueries(context: Context): Sync<WriteTx> & { begin(): void; finish(): void } {
  const texts = textQueries(context)
  const tally = createTally(context)
  const changes = changeQueries(context, texts, tally)
  const rows = changeRows(context)
  return {
    ...readQueries(context),
    ...documentWrites(context, texts),
    ...fileWrites(context),
    ...snapshotWrites(context, tally, rows),
    ...changes,
    ...overlayWrites(context),
    ...historyRemovals(context, texts, tally),
    ...heatWrites(context),
    ...leaseWrites(context),
    ...healthWrites(context),
    begin() {
      tally.reset()
      changes.reset()
      rows.begin()
    },
    finish: () => rows.finish(),
  }
}
