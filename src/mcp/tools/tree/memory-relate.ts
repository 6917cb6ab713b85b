import { DEFAULT_ROOM } from '../../../core/find/budget.ts'
import { relateJson } from '../../../core/render/write-json.ts'
import { relatedLine } from '../../../core/render/write-text.ts'
import { utf8Length } from '../../../core/tokens.ts'
import { given } from '../../../util/given.ts'
import { elideMiddle } from '../../../util/text/elide.ts'
import { number, object, optional, text } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { shape, TEXT, TEXT_OR_NULL } from '../output.ts'
import { idArgument, loggedId, MAX_LINE, NODE_ID } from './arguments.ts'

export const memoryRelate = defineTool({
  name: 'MemoryRelate',
  description: 'Link a note to another, by id or heading, even a future one.',
  hint: 'connect',
  toolset: 'tree',
  effect: 'sets',
  input: object({
    source_id: NODE_ID,
    target_id: optional(idArgument('Id of the target, or')),
    target_label: optional(text('its heading', { max: MAX_LINE })),
    target_source: optional(text('Its file, with target_label', { max: MAX_LINE })),
    weight: optional(number('How strong. Default 1')),
  }),
  output: shape({
    status: { enum: ['resolved', 'pending'] },
    source_id: TEXT,
    target_id: TEXT_OR_NULL,
    target_label: TEXT_OR_NULL,
  }),
  logged: ({ source_id, target_id, target_label, target_source, weight }) => ({
    source_id: loggedId(source_id),
    target_id: loggedId(target_id),
    target_label_bytes: utf8Length(target_label ?? ''),
    target_source_bytes: utf8Length(target_source ?? ''),
    weight,
  }),

  async call({ memory }, { source_id: sourceId, target_id, target_label, target_source, weight }) {
    const target = given({ targetId: target_id, targetLabel: target_label, targetSource: target_source })
    // 0 is how a client without a number for it says that it has none.
    const result = await memory.relate({ sourceId, ...target, ...given({ weight: weight || undefined }) })
    const text = elideMiddle(relatedLine(sourceId, result), DEFAULT_ROOM)
    return { text, structured: relateJson(sourceId, result) }
  },
})
