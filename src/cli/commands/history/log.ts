import { defineCommand } from '../../base/command.ts'
import { withMemory } from '../../base/databases.ts'
import { SNAPSHOT_FLAGS, showSnapshots } from './snapshot-list.ts'

export const command = defineCommand({
  parameters: {},
  flags: SNAPSHOT_FLAGS,
  examples: [
    'remindb log',
    'remindb log --author ada --since yesterday',
    'remindb log --path notes/team --operation write --json',
  ],

  async run(context, { flags }) {
    await withMemory(context, (memory) => showSnapshots(context, memory, { flags, name: 'log' }))
    return 0
  },
})
