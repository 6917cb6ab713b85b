import { summarizeJson } from '../../../core/render/write-json.ts'
import { summarizedLines } from '../../../core/render/write-text.ts'
import { utf8Length } from '../../../core/tokens.ts'
import { given } from '../../../util/given.ts'
import { number, object, optional, text } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, INTEGER_OR_NULL, OBJECT, shape, TEXT } from '../output.ts'
import { EXPECTED_VERSION, loggedId, NODE_ID } from './arguments.ts'

export const memorySummarize = defineTool({
  name: 'MemorySummarize',
  description:
    'Shorten a note: replace the text of a long unread node by your summary. The history keeps the old text.',
  hint: 'condense',
  toolset: 'tree',
  effect: 'sets',
  input: object({
    id: NODE_ID,
    summary: text('The text to keep'),
    temperature: optional(number('Heat from 0 to 1. Default 0.5', { min: 0, max: 1 })),
    expected_version: EXPECTED_VERSION,
  }),
  output: shape({
    node_id: TEXT,
    old_tokens: INTEGER,
    new_tokens: INTEGER,
    redactions: OBJECT,
    snapshot_id: INTEGER_OR_NULL,
  }),
  missing: { node: (id) => `failed to get node: ${id} not found` },
  logged: ({ id, summary, temperature, expected_version }) => ({
    node_id: loggedId(id),
    summary_bytes: utf8Length(summary),
    temperature,
    expected_version,
  }),

  async call({ memory }, { id, expected_version: expectedVersion, ...args }) {
    const result = await memory.summarize({ id, ...args, ...given({ expectedVersion }) })
    return { text: summarizedLines(id, result).join('\n'), structured: summarizeJson(id, result) }
  },
})
