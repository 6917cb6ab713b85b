import { needs } from '../../../core/errors.ts'
import { DEFAULT_CHARACTERS } from '../../../core/find/budget.ts'
import type { Checkpoint } from '../../../core/history/checkpoint.ts'
import type { UndoResult } from '../../../core/history/undo.ts'
import { undoJson } from '../../../core/render/undo-json.ts'
import { conflictLines, fitConflicts, type UndoAsked, undoneLine } from '../../../core/render/undo-text.ts'
import { given } from '../../../util/given.ts'
import { printable } from '../../../util/text/printable.ts'
import { isPermitted } from '../../model/access.ts'
import { flag, integer, object, optional, text } from '../../model/schema.ts'
import type { Schema, Tool } from '../../model/tool.ts'
import { defineTool } from '../define-tool.ts'
import { momentArgument } from '../moment.ts'
import { INTEGER, INTEGER_OR_NULL, rows, shape } from '../output.ts'
import { loggedId, loggedMoment } from './arguments.ts'

const BASE = {
  id: optional(text('Node or document')),
  snapshot: optional(momentArgument('Moment')),
  revert: optional(integer('Or: snapshot', { min: 1 })),
  checkpoint: optional(text('Or: name the present')),
}
const WHOLE = object({ ...BASE, force: optional(flag('Older text wins')) })

/** It replaces what others wrote since: for admins only. */
const FORCE = { access: 'removes', scope: 'memories:admin' } as const

interface Given {
  id?: string | undefined
  snapshot?: string | undefined
  revert?: number | undefined
  checkpoint?: string | undefined
  force?: boolean | undefined
}

const restoreTool = (input: Schema<Given>, within?: Tool['within']) =>
  defineTool({
    name: 'MemoryRestore',
    description: 'Undo one thing: restore a note or document from a snapshot, or revert one.',
    hint: 'undo one change',
    toolset: 'tree',
    effect: 'sets',
    effectOf: ({ force }) => (force ? 'removes' : 'sets'),
    scopeOf: ({ force }) => (force ? FORCE.scope : 'memories:write'),
    ...(within && { within, most: 'removes' as const }),
    input,
    output: shape({
      status: { enum: ['done', 'unchanged', 'conflict'] },
      target: INTEGER_OR_NULL,
      affected: INTEGER,
      documents: INTEGER,
      erased: INTEGER,
      conflicts: rows('kind', 'node_id', 'file', 'now', 'would_be'),
      conflicts_total: INTEGER,
      snapshot_id: INTEGER_OR_NULL,
    }),
    logged: ({ id, snapshot, revert, force }) => ({
      anchor: loggedId(id),
      snapshot: loggedMoment(snapshot),
      revert,
      force,
    }),

    async call({ memory }, { id, snapshot, revert, checkpoint, force }) {
      const isNode = id !== undefined && snapshot !== undefined
      const asked = [isNode, revert !== undefined, checkpoint !== undefined].filter(Boolean)
      const isPart = !isNode && (id !== undefined || snapshot !== undefined)
      needs(asked.length === 1 && !isPart, 'give id and snapshot, or revert, or checkpoint')
      if (checkpoint !== undefined) return named(await memory.checkpoint({ name: checkpoint }))
      if (revert !== undefined)
        return answer(
          await memory.revert({ snapshots: [revert], ...given({ force }) }),
          { revert: [revert] },
          within,
        )
      const wanted = { id: id as string, snapshot: snapshot as string }
      return answer(await memory.restore({ ...wanted, ...given({ force }) }), 'restore', within)
    },
  })

function named({ name, snapshot: { id } }: Checkpoint) {
  const nothing = { affected: 0, documents: 0, erased: 0, conflicts: [], conflicts_total: 0 }
  return {
    text: `"${printable(name)}" is snapshot ${id}`,
    structured: { status: 'done', target: id, ...nothing, snapshot_id: null },
  }
}

/** Room for the lines around the conflicts. */
const AROUND = 600

function answer(result: UndoResult, asked: UndoAsked, mayForce: unknown) {
  const line = undoneLine(result, asked)
  if (result.status !== 'conflict') return { text: line, structured: undoJson(result) }
  const conflicts = fitConflicts(result.conflicts, DEFAULT_CHARACTERS - AROUND)
  const more = result.total - conflicts.length
  const advice = mayForce ? 'force=true takes the older texts' : 'write what should stay with MemoryWrite'
  const lines = [
    line,
    ...conflicts.flatMap((conflict) => conflictLines(conflict)),
    ...(more > 0 ? [`… ${more} more`] : []),
    `… ${advice}`,
  ]
  return { text: lines.join('\n'), structured: undoJson({ ...result, conflicts }) }
}

/** Where nothing may be removed, it has no `force`. */
export const memoryRestore: Tool = restoreTool(WHOLE, (allowance) =>
  isPermitted(FORCE, allowance) ? memoryRestore : restoreTool(object(BASE)),
)
