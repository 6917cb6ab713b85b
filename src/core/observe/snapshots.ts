import { cursorNumbers, cut, type NextPage, type PageInput, pageOf } from '../page.ts'
import type { ReadTx, SnapshotRow, Store } from '../port/store.ts'

/** `remindb://snapshots`: the keys and their order are locked. Newest first. */
export interface SnapshotsEnvelope {
  snapshots: {
    id: number
    parent_id: number | null
    message: string
    /** Absolute; '' if there is none. */
    compile_root: string
    /** Unix seconds. */
    created_at: number
    is_head: boolean
  }[]
}

export interface SnapshotsDeps {
  store: Pick<Store, 'read'>
  showRoot: (stored: string) => string
}

const BATCH = 5000

/** The newest `limit` snapshots; all of them without a limit. */
export function snapshots(
  { store, showRoot }: SnapshotsDeps,
  { limit = Number.POSITIVE_INFINITY }: { limit?: number } = {},
): Promise<SnapshotsEnvelope> {
  return store.read(async (tx) => ({
    snapshots: await describe(tx, await newest(tx, limit), showRoot),
  }))
}

/** The cursor is the id of the last snapshot of the previous page. */
export async function snapshotsPage(
  { store, showRoot }: SnapshotsDeps,
  input: PageInput,
): Promise<SnapshotsEnvelope & NextPage> {
  const { limit, cursor } = pageOf(input)
  const [before] = cursor === undefined ? [] : cursorNumbers(cursor, 1)
  return store.read(async (tx) => {
    const rows = await tx.snapshots({ limit: limit + 1, ...(before === undefined ? {} : { before }) })
    const page = cut(rows, limit, ({ id }) => String(id))
    return { snapshots: await describe(tx, page.rows, showRoot), next_cursor: page.next }
  })
}

async function newest(tx: ReadTx, limit: number): Promise<SnapshotRow[]> {
  const rows: SnapshotRow[] = []
  while (rows.length < limit) {
    const before = rows.at(-1)?.id
    const wanted = Math.min(BATCH, limit - rows.length)
    const page = await tx.snapshots({ limit: wanted, ...(before === undefined ? {} : { before }) })
    for (const row of page) rows.push(row)
    if (page.length < wanted) break
  }
  return rows
}

export async function describe(
  tx: ReadTx,
  rows: readonly SnapshotRow[],
  showRoot: SnapshotsDeps['showRoot'],
): Promise<SnapshotsEnvelope['snapshots']> {
  const head = (await tx.state()).head?.id
  return rows.map(({ id, parentId, message, root, createdAt }) => ({
    id,
    parent_id: parentId,
    message,
    compile_root: showRoot(root),
    created_at: Math.floor(createdAt / 1000),
    is_head: id === head,
  }))
}
