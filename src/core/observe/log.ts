import { withFacts } from '../history/log.ts'
import { cursorNumbers, cut, type NextPage, type PageInput, pageOf } from '../page.ts'
import type { SnapshotFilter } from '../port/history.ts'
import { describe, type SnapshotsDeps, type SnapshotsEnvelope } from './snapshots.ts'

/** `remindb://log`: the rows of `remindb://snapshots` with who, what and which name. Newest first. */
export interface LogEnvelope {
  snapshots: (SnapshotsEnvelope['snapshots'][number] & {
    author: string
    operation: string
    checkpoints: string[]
    /** How many it changed, counted up to 10,000. */
    nodes: number
  })[]
}

export type LogPageInput = PageInput & Pick<SnapshotFilter, 'author' | 'operation' | 'within'>

/** The cursor is the id of the last snapshot of the previous page. */
export async function logPage(
  { store, showRoot }: SnapshotsDeps,
  { limit: most, cursor: from, ...filter }: LogPageInput,
): Promise<LogEnvelope & NextPage> {
  const { limit, cursor } = pageOf({ ...(most && { limit: most }), ...(from && { cursor: from }) })
  const [before] = cursor === undefined ? [] : cursorNumbers(cursor, 1)
  return store.read(
    async (tx) => {
      const range = { limit: limit + 1, ...(before === undefined ? {} : { before }) }
      const page = cut(await tx.snapshots({ ...filter, ...range }), limit, ({ id }) => String(id))
      const rows = await withFacts(tx, page.rows)
      const shown = await describe(tx, page.rows, showRoot)
      const snapshots = rows.map(({ author, operation, checkpoints, nodes }, at) => ({
        ...(shown[at] as SnapshotsEnvelope['snapshots'][number]),
        ...{ author, operation, checkpoints, nodes },
      }))
      return { snapshots, next_cursor: page.next }
    },
    { includeExpired: true },
  )
}
