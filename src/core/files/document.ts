import { openLevels } from '../doors/append-text.ts'
import { prepareText, type TextPut } from '../doors/put-text.ts'
import type { Block } from '../model.ts'
import type { Attributes, DoorHead } from '../port/doors.ts'
import type { ReadTx } from '../port/store.ts'
import type { Preparation } from '../prepare.ts'
import { documentAt } from '../write/documents.ts'
import { type FileMemory, fileAddress } from './model.ts'
import { ROOT_PATH } from './path.ts'

/** The attribute of a folder; a file does not have it. */
export const FOLDER = { folder: true } as const

/** What is at a path. */
export type Entry = { kind: 'none' } | { kind: 'dir' } | { kind: 'file'; head: DoorHead }

/** Reads no text. A folder whose document is gone exists as long as it contains something. */
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

export interface FileInput {
  memory: FileMemory
  /** Normalised. */
  path: string
  content: string
}

/** Lets the next append work without reading the text. It changes rarely: every version with other values stores it. */
export interface FileAttributes extends Attributes {
  ends?: 'line'
  is_empty?: true
}

/** Prepares a whole text; its folders must exist when it is put. */
export const prepareFile: Preparation<FileInput, TextPut> = {
  name: 'file',
  lengthOf: ({ content }) => content.length,
  run(tools, { memory, path, content }) {
    const levels = new Map<Block, number>()
    const blocks = content.trim() === '' ? [] : tools.parseWhole(content, levels)
    const prepared = prepareText.run(tools, { text: content, blocks })
    const attributes = { ...attributesOf(prepared.text ?? ''), open_levels: openLevels(blocks, levels) }
    return { address: fileAddress(memory, path), ...prepared, attributes }
  },
}

/** The attributes for a text, or for one that was appended. */
export function attributesOf(text: string): FileAttributes {
  if (text === '') return { is_empty: true }
  return text.endsWith('\n') ? { ends: 'line' } : {}
}
