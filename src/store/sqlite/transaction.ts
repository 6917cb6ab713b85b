import type { ReadTx, WriteTx } from '../../core/port/store.ts'
import { contentReads } from '../contents.ts'
import { commits } from './commit.ts'
import type { Context } from './database/context.ts'
import type { Sync } from './database/statements.ts'
import { documentReads } from './documents/document-reads.ts'
import { healthReads, healthWrites } from './health/health.ts'
import { snapshotReads } from './history/snapshots.ts'
import { documentVersionReads, versionReads } from './history/versions.ts'
import { linkFactReads } from './links/link-facts.ts'
import { linkRowReads } from './links/link-rows.ts'
import { nodeReads } from './nodes/nodes.ts'
import { scanReads } from './scan.ts'
import { searchReads } from './search/search.ts'
import { summaryReads } from './summary.ts'
import { changeRows } from './writes/change-rows.ts'
import { textQueries } from './writes/texts.ts'

/** All queries of a read transaction, on one handle. */
export function readQueries(context: Context): Sync<ReadTx> {
  const { texts } = textQueries(context)
  const nodes = nodeReads(context)
  const documents = documentReads(context)
  const links = linkRowReads(context)
  const { linkFacts, namesIn } = linkFactReads(context)
  return {
    ...documents,
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

/** All queries of a write transaction, on the writer's handle. `begin` and `finish` frame a transaction. */
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
