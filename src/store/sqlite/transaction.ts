import type { ReadTx, WriteTx } from '../../core/port/store.ts'
import { contentReads } from '../contents.ts'
import { changeRows } from './change-rows.ts'
import { commits } from './commit.ts'
import type { Context } from './context.ts'
import { documentReads } from './document-reads.ts'
import { documentVersionReads } from './document-versions.ts'
import { fileEntryReads } from './file-entries.ts'
import { healthReads, healthWrites } from './health.ts'
import { linkFactReads } from './link-facts.ts'
import { linkRowReads } from './link-rows.ts'
import { nodeReads } from './nodes.ts'
import { scanReads } from './scan.ts'
import { searchReads } from './search.ts'
import { snapshotReads } from './snapshots.ts'
import type { Sync } from './statements.ts'
import { summaryReads } from './summary.ts'
import { textQueries } from './texts.ts'
import { versionReads } from './versions.ts'

/** Everything a read can ask, on one handle. */
export function readQueries(context: Context): Sync<ReadTx> {
  const { texts } = textQueries(context)
  const nodes = nodeReads(context)
  const documents = documentReads(context)
  const links = linkRowReads(context)
  const { linkFacts, namesIn } = linkFactReads(context)
  return {
    ...documents,
    ...fileEntryReads(context),
    ...nodes,
    ...links,
    ...contentReads({ ...documents, ...nodes, ...links }, (document) => namesIn([document])),
    linkFacts,
    ...snapshotReads(context),
    ...versionReads(context),
    ...documentVersionReads(context),
    ...summaryReads(context),
    ...healthReads(context),
    ...scanReads(context),
    ...searchReads(context, nodes),
    texts,
  }
}

/** Everything a write can do, on the writer's handle. `begin` and `finish` frame a transaction. */
export function writeQueries(context: Context): Sync<WriteTx> & { begin(): void; finish(): void } {
  const changes = changeRows(context)
  const { begin, finish } = changes
  return {
    ...readQueries(context),
    ...commits(context, changes),
    ...healthWrites(context),
    begin,
    finish,
  }
}
