import { MemoryError } from '../../core/errors.ts'
import type { UndoResult } from '../../core/history/undo.ts'
import type { MomentInput } from '../../core/port/history.ts'
import type { Memory } from '../memory/open-memory.ts'

type Restoring = Pick<Memory, 'restore'>

/** Restores what a client names: a node by its id, or a document as commands and the tree name it. */
export async function restoreNamed(
  memory: Pick<Memory, 'findDocuments'>,
  { restore }: Restoring,
  { id, ...input }: { id: string; snapshot: MomentInput; force?: boolean },
): Promise<UndoResult> {
  const found = await memory.findDocuments(id)
  const [document] = found
  if (found.length > 1) throw ambiguous(found.map(({ name }) => name))
  const target = document && document.nodeId === null ? { document: document.address } : { id }
  return (await restore({ ...input, ...target })) as UndoResult
}

function ambiguous(names: readonly string[]): MemoryError {
  return new MemoryError('CONFLICT', `id names ${names.length} documents: ${names.join(', ')}; choose one`)
}
