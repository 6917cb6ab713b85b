import type { RollbackResult } from '../../core/rollback.ts'
import { jsonPieces } from '../../util/json-pieces.ts'
import { writeLines, writePieces } from '../../util/terminal-output.ts'
import { defineCommand } from '../command.ts'
import { withMemory } from '../databases.ts'

export const command = defineCommand({
  parameters: {
    snapshot: { kind: 'number', min: 1, help: 'The snapshot to go back to; history lists them' },
  },
  flags: {
    'drop-after': {
      kind: 'switch',
      help: 'Also forget the snapshots after it for good, with all text that only they held',
    },
    json: { kind: 'switch', help: 'Print JSON' },
  },
  examples: ['remindb rollback 6', 'remindb rollback 6 --drop-after'],

  async run(context, { parameters: { snapshot }, flags }) {
    const dropAfter = flags['drop-after']
    await withMemory(context, async (memory) => {
      const result = await memory.rollback({ snapshotId: snapshot, dropAfter })
      if (flags.json) await writePieces(context.out, jsonPieces(toJson(result)))
      else await writeLines(context.out, [lineOf(result, dropAfter)])
    })
    return 0
  },
})

function lineOf(result: RollbackResult, dropAfter: boolean): string {
  switch (result.status) {
    case 'at-target':
      return `already at snapshot ${result.target}; nothing to do`
    case 'unchanged':
      return `no rollback applied; computed state matches HEAD for snapshot ${result.target}`
    case 'rolled-back': {
      const { target, snapshot, affected, pruned } = result
      const dropped = dropAfter ? `; pruned ${pruned} intermediate snapshot(s)` : ''
      return `rolled back to snapshot ${target} (new snapshot ${snapshot.id}, ${affected} nodes affected)${dropped}`
    }
  }
}

function toJson(result: RollbackResult) {
  const isDone = result.status === 'rolled-back'
  return {
    status: result.status,
    target: result.target,
    affected: isDone ? result.affected : 0,
    pruned: result.status === 'at-target' ? 0 : result.pruned,
    snapshot_id: isDone ? result.snapshot.id : null,
  }
}
