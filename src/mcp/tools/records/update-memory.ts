import { flag, object, optional } from '../../model/schema.ts'
import { TEXTS } from '../output.ts'
import {
  type ArgumentLimits,
  CATEGORY,
  contentArgument,
  IMPORTANCE,
  idArgument,
  loggedRecord,
  MEMORY,
  TASK_METADATA,
  tagsArgument,
} from './arguments.ts'
import { defineRecordTool, recordAnswer } from './define-record-tool.ts'

export const updateMemory = (limits: ArgumentLimits) =>
  defineRecordTool({
    name: 'update_memory',
    title: 'Update a memory',
    description:
      'Change a memory: given fields are replaced, the rest stays. `archived: false` restores an archived one. Counts as accessed.',
    hint: 'edit, correct, undo a change',
    effect: 'sets',
    input: object({
      id: idArgument(),
      content: optional(contentArgument(limits)),
      category: optional(CATEGORY),
      tags: optional(tagsArgument(limits.maxTags, 'Replaces its tags')),
      importance: optional(IMPORTANCE),
      archived: optional(flag('true: put away; false: back')),
      task_metadata: optional(TASK_METADATA),
    }),
    output: { memory: MEMORY, updated_fields: TEXTS },
    logged: loggedRecord,
    call: async ({ memory }, args) => recordAnswer(await memory.records.update(args), 'memory'),
  })
