import { lineError } from './import-lines.ts'
import type { WriteTx } from './port/store.ts'
import type { ImportItem } from './port/transfer.ts'

/** Rows sent to the store at once, unless their texts are long. */
const BATCH = 512
const BATCH_LENGTH = 1024 * 1024
const MAX_IN_FLIGHT = 4

/** Sends rows in batches, without waiting for each: the store works while the next lines are read. */
export function createSender(tx: Pick<WriteTx, 'importItems'>) {
  const inFlight: Promise<void>[] = []
  let items: ImportItem[] = []
  let lines: number[] = []
  let length = 0

  async function flush(): Promise<void> {
    if (items.length === 0) return
    const stored = store(tx, items, lines)
    // Where reading fails first, nobody asks any more.
    stored.catch(() => undefined)
    inFlight.push(stored)
    items = []
    lines = []
    length = 0
    if (inFlight.length > MAX_IN_FLIGHT) await inFlight.shift()
  }
  return {
    async send(line: number, item: ImportItem): Promise<void> {
      items.push(item)
      lines.push(line)
      length += lengthOf(item)
      if (items.length >= BATCH || length >= BATCH_LENGTH) await flush()
    },
    async finish(): Promise<void> {
      await flush()
      await Promise.all(inFlight)
    },
  }
}

async function store(tx: Pick<WriteTx, 'importItems'>, items: ImportItem[], lines: number[]): Promise<void> {
  const refused = await tx.importItems(items)
  if (refused === null) return
  throw lineError(lines[refused] as number, 'its id, key or address is in the file twice')
}

function lengthOf(item: ImportItem): number {
  if (item.kind === 'version') return item.row.state?.text.length ?? 0
  return item.kind === 'document' || item.kind === 'documentVersion' ? (item.row.text?.length ?? 0) : 0
}
