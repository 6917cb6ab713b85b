import { writeJson } from '../../../core/render/write-json.ts'
import { wroteLines } from '../../../core/render/write-text.ts'
import { utf8Length } from '../../../core/tokens.ts'
import { given } from '../../../util/given.ts'
import { object, optional, text } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, INTEGER_OR_NULL, OBJECT, shape, TEXT } from '../output.ts'
import { EXPECTED_VERSION, idArgument, loggedId, nodeArgument } from './arguments.ts'

export const memoryWrite = defineTool({
  name: 'MemoryWrite',
  description:
    'Remember: save a note, fact or decision worth knowing later. With `parent` it goes under that node, with `id` it replaces that node. [[Heading]] links; secrets are redacted.',
  hint: 'remember a fact for later, save a note',
  isMain: true,
  toolset: 'tree',
  effect: 'sets',
  input: object({
    payload: text('Markdown'),
    id: optional(nodeArgument('Node to replace')),
    parent: optional(idArgument('Node to write under')),
    expected_version: EXPECTED_VERSION,
  }),
  output: shape({ node_id: TEXT, tokens: INTEGER, redactions: OBJECT, snapshot_id: INTEGER_OR_NULL }),
  logged: ({ id, parent, payload, expected_version }) => ({
    anchor: loggedId(id),
    parent: loggedId(parent),
    payload_bytes: utf8Length(payload),
    expected_version,
  }),

  async call({ memory }, { id: anchor, expected_version: expectedVersion, ...args }) {
    const result = await memory.write({ ...args, ...given({ anchor, expectedVersion }) })
    return { text: wroteLines(result).join('\n'), structured: writeJson(result) }
  },
})
