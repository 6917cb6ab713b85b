import { openLevels } from '../doors/append-text.ts'
import { type DoorDeps, putText } from '../doors/put-text.ts'
import type { Block } from '../model.ts'
import type { Attributes } from '../port/doors.ts'
import type { PutContext } from '../put.ts'
import { type FileMemory, fileAddress } from './file-memory.ts'

export interface FileInput {
  memory: FileMemory
  /** Normalised. */
  path: string
  content: string
}

/** What the next append must know without reading the text; it changes seldom, because every version that differs keeps it. */
export interface FileAttributes extends Attributes {
  ends?: 'line'
  is_empty?: true
}

/** A whole text; the folders above it are there. */
export async function putFile(deps: DoorDeps, context: PutContext, input: FileInput): Promise<void> {
  const { memory, path, content } = input
  const levels = new Map<Block, number>()
  const blocks = content.trim() === '' ? [] : deps.parseWhole(content, levels)
  const attributes = { ...attributesOf(deps.redact(content)), open_levels: openLevels(blocks, levels) }
  await putText(deps, context, { address: fileAddress(memory, path), text: content, attributes, blocks })
}

/** Of a text, or of what was put behind one. */
export function attributesOf(text: string): FileAttributes {
  if (text === '') return { is_empty: true }
  return text.endsWith('\n') ? { ends: 'line' } : {}
}
