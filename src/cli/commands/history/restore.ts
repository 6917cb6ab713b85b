import { defineCommand, UsageError } from '../../base/command.ts'
import { withMemory } from '../../base/databases.ts'
import { getDocument } from '../../base/named-document.ts'
import { showUndo, UNDO_FLAGS } from './show-undo.ts'

export const command = defineCommand({
  parameters: {
    what: {
      kind: 'text',
      help: 'The id of a node: it comes back with what was below it. Or a document: a path, record:…, key:… or file:…, as erase takes it',
    },
  },
  flags: {
    snapshot: {
      kind: 'text',
      value: 'moment',
      required: true,
      help: 'The moment to bring it back from: a snapshot, checkpoint, date, time, or how long ago',
    },
    ...UNDO_FLAGS,
  },
  examples: [
    'remindb restore FC4TQ4IMGIk --snapshot 6',
    'remindb restore notes/plan.md --snapshot yesterday --dry-run',
    'remindb restore key:release-cadence --snapshot "2h ago"',
  ],

  async run(context, { parameters: { what }, flags }) {
    const { snapshot, force } = flags
    if (snapshot === undefined) throw new UsageError('--snapshot is needed; `remindb history` lists them')
    return withMemory(context, async (memory) => {
      const { nodeId, address } = await getDocument(memory, what, context.cwd)
      const target = nodeId === null ? { document: address } : { id: nodeId }
      const result = await memory.restore({ ...target, snapshot, force, dryRun: flags['dry-run'] })
      return showUndo(context, result, { ...flags, asked: 'restore' })
    })
  },
})
