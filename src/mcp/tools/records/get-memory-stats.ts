import { object } from '../../model/schema.ts'
import { INTEGER, members, OBJECT_OR_NULL, rows, TEXT_OR_NULL } from '../output.ts'
import { defineRecordTool, recordAnswer } from './define-record-tool.ts'

export const getMemoryStats = defineRecordTool({
  name: 'get_memory_stats',
  title: 'State of the memories',
  description: 'Count the memories by type and importance, with the archived ones and the top tags.',
  hint: 'how many, size, status',
  effect: 'looks',
  input: object({}),
  output: {
    total_memories: INTEGER,
    by_type: members('core', 'learning', 'task'),
    by_importance: members('high', 'medium', 'low'),
    archived_count: INTEGER,
    total_storage_kb: { type: 'number' },
    oldest_memory: TEXT_OR_NULL,
    newest_memory: TEXT_OR_NULL,
    most_accessed: OBJECT_OR_NULL,
    top_tags: rows('tag', 'count'),
  },
  logged: () => ({}),
  call: async ({ memory }) => recordAnswer(await memory.records.stats(), 'most_accessed'),
})
