import { openLevels } from '../doors/append-text.ts'
import { prepareText, type TextPut } from '../doors/put-text.ts'
import type { Block } from '../model.ts'
import type { Attributes } from '../port/doors.ts'
import type { Preparation } from '../prepare.ts'
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

/** A whole text; the folders above it are there when it is put. */
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

/** Of a text, or of what was put behind one. */
export function attributesOf(text: string): FileAttributes {
  if (text === '') return { is_empty: true }
  return text.endsWith('\n') ? { ends: 'line' } : {}
}
