import type { ImportItem } from './import-items.ts'

/** Rows stored at once, unless their texts are long. */
const MAX_ITEMS = 512
const MAX_LENGTH = 1024 * 1024

export interface ImportBatch {
  items: ImportItem[]
  /** Of each item: the line that it comes from. */
  lines: number[]
}

/** Gathers rows until there are enough to be stored. */
export function createBatcher() {
  let batch: ImportBatch = { items: [], lines: [] }
  let length = 0
  return {
    add(line: number, item: ImportItem): void {
      batch.items.push(item)
      batch.lines.push(line)
      length += lengthOf(item)
    },
    isFull: (): boolean => batch.items.length >= MAX_ITEMS || length >= MAX_LENGTH,
    take(): ImportBatch {
      const taken = batch
      batch = { items: [], lines: [] }
      length = 0
      return taken
    },
  }
}

function lengthOf(item: ImportItem): number {
  if (item.kind === 'version') return item.row.state?.text.length ?? 0
  return item.kind === 'document' || item.kind === 'documentVersion' ? (item.row.text?.length ?? 0) : 0
}
