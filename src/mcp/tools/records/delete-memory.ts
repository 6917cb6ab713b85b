import { flag, object, optional } from '../../model/schema.ts'
import { FLAG, TEXT } from '../output.ts'
import { idArgument } from './arguments.ts'
import { defineRecordTool, jsonAnswer } from './define-record-tool.ts'

export const deleteMemory = defineRecordTool({
  name: 'delete_memory',
  title: 'Delete a memory',
  description:
    'Delete a memory or note: archive it, or with `permanent` remove it, so that no tool finds it and only its history is left.',
  hint: 'delete a note, remove, forget',
  effect: 'removes',
  input: object({
    id: idArgument(),
    permanent: optional(flag('Remove it instead of archiving it. Default false')),
  }),
  output: { success: FLAG, action: { enum: ['archived', 'deleted'] }, id: TEXT },
  logged: ({ id, permanent }) => ({ id, permanent }),
  call: async ({ memory }, args) => jsonAnswer(await memory.records.delete(args)),
})
