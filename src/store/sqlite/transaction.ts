import type { ReadTx, WriteTx } from '../../core/port/store.ts'
import { changeRows } from './change-rows.ts'
import { changeQueries } from './changes.ts'
import type { Context } from './context.ts'
import { documentReads } from './document-reads.ts'
import { documentVersionReads } from './document-versions.ts'
import { documentWrites } from './documents.ts'
import { doorReads } from './doors.ts'
import { fileEntryReads } from './file-entries.ts'
import { fileReads, fileWrites } from './files.ts'
import { historyRemovals } from './forget-history.ts'
import { healthReads, healthWrites } from './health.ts'
import { heatReads, heatWrites } from './heat.ts'
import { heatClockWrites } from './heat-clock.ts'
import { coldReads, coldWrites } from './heat-cold.ts'
import { leaseReads, leaseWrites } from './leases.ts'
import { linkWrites } from './link-writes.ts'
import { linkReads } from './links.ts'
import { mapReads } from './map.ts'
import { nodeReads } from './nodes.ts'
import { outlineReads } from './outline.ts'
import { overlayWrites } from './overlays.ts'
import { overviewReads } from './overview.ts'
import { readingReads } from './reading.ts'
import { scanReads } from './scan.ts'
import { searchReads } from './search.ts'
import { snapshotReads, snapshotWrites } from './snapshots.ts'
import type { Sync } from './statements.ts'
import { createTally } from './tally.ts'
import { textQueries } from './texts.ts'
import { touchWrites } from './touches.ts'
import { transferWrites } from './transfer-writes.ts'
import { versionReads } from './versions.ts'

/** Everything a read can ask, on one handle. */
export function readQueries(context: Context): Sync<ReadTx> {
  const texts = textQueries(context)
  return {
    ...documentReads(context),
    ...fileEntryReads(context),
    ...doorReads(context),
    ...fileReads(context),
    ...nodeReads(context),
    ...outlineReads(context),
    ...mapReads(context),
    ...readingReads(context),
    ...linkReads(context),
    ...heatReads(context),
    ...coldReads(context),
    ...snapshotReads(context),
    ...versionReads(context),
    ...documentVersionReads(context),
    ...leaseReads(context),
    ...overviewReads(context),
    ...healthReads(context),
    ...scanReads(context),
    ...searchReads(context),
    texts: texts.texts,
  }
}

/** Everything a write can do, on the writer's handle. `begin` and `finish` frame a transaction. */
export function writeQueries(context: Context): Sync<WriteTx> & { begin(): void; finish(): void } {
  const texts = textQueries(context)
  const tally = createTally(context)
  const links = linkWrites(context, tally)
  const changes = changeQueries(context, texts, tally, links)
  const rows = changeRows(context)
  return {
    ...readQueries(context),
    ...documentWrites(context, texts, links),
    ...fileWrites(context),
    ...snapshotWrites(context, tally, rows),
    ...changes,
    ...overlayWrites(context),
    ...historyRemovals(context, texts, tally, links),
    ...heatWrites(context),
    ...touchWrites(context),
    putManualLink(sourceKey, link) {
      rows.mean('relate')
      return links.putManualLink(sourceKey, link)
    },
    deleteManualLinks(sourceKey, target) {
      rows.mean('relate')
      return links.deleteManualLinks(sourceKey, target)
    },
    ...heatClockWrites(context, rows),
    ...coldWrites(context),
    ...leaseWrites(context, rows),
    ...healthWrites(context),
    ...transferWrites(context, texts, tally, rows),
    begin() {
      texts.reset()
      tally.reset()
      changes.reset()
      links.begin()
      rows.begin()
    },
    finish() {
      links.settle()
      tally.flushCounts()
      rows.finish()
    },
  }
}
