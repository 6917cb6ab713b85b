import type { DoorHead } from '../port/doors.ts'
import type { ReadTx } from '../port/store.ts'
import { documentAt } from '../write/documents.ts'
import { type FileMemory, fileAddress } from './file-memory.ts'
import { ROOT_PATH } from './path.ts'

/** What a folder is known by; a file has no such attribute. */
export const FOLDER = { folder: true } as const

/** What is at a path. */
export type Entry = { kind: 'none' } | { kind: 'dir' } | { kind: 'file'; head: DoorHead }

/** Costs no text. A folder whose own document is gone is there as long as something is in it. */
export async function findEntry(tx: ReadTx, memory: FileMemory, path: string): Promise<Entry> {
  if (path === ROOT_PATH) return { kind: 'dir' }
  const head = await documentAt(tx, fileAddress(memory, path), 'head')
  if (head?.state === 'live') return isFolder(head) ? { kind: 'dir' } : { kind: 'file', head }
  const inside = await tx.documents(below(memory, path), 'row', { sort: [{ by: 'name' }], limit: 1 })
  return { kind: inside.length > 0 ? 'dir' : 'none' }
}

export function isFolder({ attributes }: Pick<DoorHead, 'attributes'>): boolean {
  return attributes.folder === true
}

/** Everything below a path, at any depth. */
export function below(memory: FileMemory, path: string) {
  return { kind: 'file', memory, under: path === ROOT_PATH ? '' : path } as const
}

export function pathOf({ address }: Pick<DoorHead, 'address'>): string {
  return address.kind === 'file' ? address.path : ''
}
