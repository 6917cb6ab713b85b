import { object, text } from '../../model/schema.ts'
import { defineTool } from '../define-tool.ts'
import { lineAnswer, TEXT_OUTPUT } from './answer.ts'
import { KEY, keySize } from './arguments.ts'

export const restoreMemory = defineTool({
  name: 'restore_memory',
  title: 'Restore memory',
  description:
    'Undo a change of a key: bring back the value and tags of a version that memory_history lists.',
  hint: 'undo a change, revert',
  toolset: 'keys',
  effect: 'stores',
  input: object({ key: KEY, version_timestamp: text('As memory_history gives it') }),
  output: TEXT_OUTPUT,
  logged: ({ key }) => keySize(key),

  async call({ memory }, { key, version_timestamp: versionTimestamp }) {
    const restored = await memory.keys.restore({ key, versionTimestamp })
    return lineAnswer(memory.keys, `Restored memory '${restored}' to version '${versionTimestamp}'.`)
  },
})
