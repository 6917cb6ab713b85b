import { object, optional } from '../../model/schema.ts'
import { FLAG, TEXT } from '../output.ts'
import {
  type ArgumentLimits,
  CATEGORY,
  contentArgument,
  IMPORTANCE,
  idArgument,
  loggedRecord,
  MEMORY,
  TASK_METADATA,
  TYPE,
  tagsArgument,
} from './arguments.ts'
import { defineRecordTool, recordAnswer } from './define-record-tool.ts'

export const storeMemory = (limits: ArgumentLimits) =>
  defineRecordTool({
    name: 'store_memory',
    title: 'Store a memory',
    description:
      'Remember: save a fact (core), an insight (learning) or a piece of work (task) worth knowing later. With `id` it replaces that memory; omitted fields stay. Secrets are redacted.',
    hint: 'remember a fact for later, save a note',
    isMain: true,
    effect: 'stores',
    input: object({
      type: TYPE,
      content: contentArgument(limits),
      category: optional(CATEGORY),
      tags: optional(tagsArgument(limits.maxTags, 'To find it by')),
      importance: optional(IMPORTANCE),
      task_metadata: optional(TASK_METADATA),
      id: optional(idArgument('Memory to change; without it a new one')),
    }),
    output: { id: TEXT, created: FLAG, memory: MEMORY },
    logged: loggedRecord,
    call: async ({ memory }, args) => recordAnswer(await memory.records.store(args), 'memory'),
  })
