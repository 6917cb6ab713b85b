import type { PruneResult } from '../../core/history/prune.ts'
import { prunedJson, prunedLine } from '../../core/render/pruned-text.ts'
import type { Memory } from '../../runtime/memory/open-memory.ts'
import type { PruneOptions } from '../../runtime/memory/pruning.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { createProgress } from '../../util/terminal/progress.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { defineCommand, UsageError } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'
import { interruptible } from '../base/interrupt.ts'

export const command = defineCommand({
  parameters: {},
  flags: {
    keep: {
      kind: 'text',
      value: 'TIME',
      required: true,
      help: 'Keep every snapshot younger than this, such as 90d; of older ones the last of each day (UTC) stays',
    },
    'keep-last': {
      kind: 'number',
      value: 'N',
      min: 1,
      help: 'Keep this many of the newest snapshots, however old they are. Default: 1000',
    },
    'dry-run': { kind: 'switch', help: 'Show what would be removed, and change nothing' },
    json: { kind: 'switch', help: 'Print JSON' },
  },
  examples: [
    'remindb history prune --keep 90d --dry-run',
    'remindb history prune --keep 90d',
    'remindb history prune --keep 30d --keep-last 100',
  ],

  async run(context, { flags: { keep, 'keep-last': keepLast, 'dry-run': dryRun, json } }) {
    if (keep === undefined)
      throw new UsageError('name how long to keep every snapshot: remindb history prune --keep 90d')
    await withMemory(context, async (memory) => {
      const result = await prune(memory, { keep, keepLast, dryRun })
      if (json) await writePieces(context.out, jsonPieces(prunedJson(result)))
      else await writeLines(context.out, [prunedLine(result)])
    })
    return 0
  },
})

async function prune(memory: Memory, options: PruneOptions): Promise<PruneResult> {
  const bar = createProgress({ stream: process.stderr, now: () => performance.now() })
  try {
    return await interruptible('what was pruned by then stays pruned; run it again to continue', (signal) =>
      memory.pruneHistory({
        ...{ ...options, signal },
        onProgress: (state) => bar.update({ label: 'pruning', ...state }),
      }),
    )
  } finally {
    bar.finish()
  }
}
