import { object } from '../../schema.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, rows, shape } from '../output.ts'
import { objectAnswer } from './answer.ts'
import { KEY, keySize } from './arguments.ts'

export const memoryHistory = defineTool({
  name: 'memory_history',
  title: 'Memory history',
  description: 'List what a key held before, newest first. restore_memory brings one of these back.',
  hint: 'past versions',
  toolset: 'keys',
  effect: 'looks',
  input: object({ key: KEY }),
  output: shape({
    versions: rows('version_timestamp', 'value', 'tags', 'recorded_at'),
    count: INTEGER,
  }),
  logged: ({ key }) => keySize(key),
  call: async ({ hands }, { key }) => objectAnswer(hands.keys, await hands.keys.history(key)),
})
