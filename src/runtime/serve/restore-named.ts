import { MemoryError } from '../../core/errors.ts'
import type { UndoResult } from '../../core/history/undo.ts'
import type { MomentInput } from '../../core/port/history.ts'
import type { Memory } from '../memory/open-memory.ts'

type Restoring = Pick<Memory, 'restore'>

/**
 * Restores what a client names: a node by its id, or a document as commands and the tree name it. Where paths are hidden from the client,
 * it cannot ask for them either.
 */
export async function restoreNamed(
  memory: Pick<Memory, 'findDocuments'>,
  { restore }: Restoring,
  { id, ...input }: { id: string; snapshot: MomentInput; force?: boolean },
  { isHidden = false } = {},
): Promise<UndoResult> {
  const found = await memory.findDocuments(id, isHidden ? { cwd: null } : {})
  const [document] = found
  if (found.length > 1) throw ambiguous(isHidden ? [] : found.map(({ name }) => name), found.length)
  const target = document && document.nodeId === null ? { document: document.address } : { id }
  return (await restore({ ...input, ...target })) as UndoResult
}

function ambiguous(names: readonly string[], count: number): MemoryError {
  const how = names.length > 0 ? `: ${names.join(', ')}; choose one` : '; give ids of their nodes'
  return new MemoryError('CONFLICT', `id names ${count} documents${how}`)
}
