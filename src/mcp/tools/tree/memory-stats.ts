import { coldLines, statsLines } from '../../../core/render/stats-text.ts'
import { object } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, members, rows, shape, TEXT } from '../output.ts'

/** Nodes to shorten: a longer list costs more than it saves. */
const MOST_NAMED = 5

export const memoryStats = defineTool({
  name: 'MemoryStats',
  description: 'Show how much the memory holds, and long unread notes worth summarizing.',
  hint: 'size, status',
  toolset: 'tree',
  effect: 'looks',
  input: object({}),
  output: shape({
    db_path: TEXT,
    db_bytes: INTEGER,
    nodes: members('total', 'by_type', 'tokens'),
    snapshots: members('count', 'head_id', 'cursor_hash', 'latest_message', 'latest_age_s'),
    temperature: members('avg', 'median', 'hot', 'cold', 'pinned'),
    relations: members('total', 'by_origin', 'pending'),
    fts_rows: INTEGER,
    cold_nodes: rows('id', 'label', 'path', 'temperature'),
  }),
  logged: () => ({}),

  async call({ memory }) {
    const { overview, thresholds } = await memory.stats()
    const cold = await memory.worthShortening({ limit: MOST_NAMED })
    return {
      text: [...statsLines(overview, thresholds), ...coldLines(cold)].join('\n'),
      structured: {
        ...overview,
        cold_nodes: cold.map(({ id, label, source, value }) => ({
          id,
          label,
          path: source,
          temperature: value,
        })),
      },
    }
  },
})
