import { isMemoryError, MemoryError } from '../../core/errors.ts'
import { forgetJson } from '../../core/render/write-json.ts'
import { forgotLine } from '../../core/render/write-text.ts'
import { FORGET_MODES, type ForgetMode } from '../../core/tree/model.ts'
import type { Memory } from '../../runtime/memory/open-memory.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { defineCommand, UsageError } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'

export const command = defineCommand({
  parameters: { 'node-id': { kind: 'text', help: 'The node; search and tree show ids' } },
  flags: {
    mode: {
      kind: 'text',
      value: 'MODE',
      help: 'strict: only a node without children. cascade: with all descendants. reparent: its children move to its parent. Default: strict',
    },
    json: { kind: 'switch', help: 'Print JSON' },
    author: { kind: 'setting', value: 'NAME', setting: 'author' },
  },
  examples: ['remindb forget 25FHWVYdid1', 'remindb forget 25FHWVYdid1 --mode cascade'],

  async run(context, { parameters: { 'node-id': id }, flags }) {
    const mode = modeOf(flags.mode)
    const { out } = context
    const work = async (memory: Memory): Promise<void> => {
      const result = await memory.forget({ id, mode }).catch((error) => {
        throw inFlags(error)
      })
      if (flags.json) await writePieces(out, jsonPieces(forgetJson(id, mode, result)))
      else await writeLines(out, [forgotLine(id, mode, result)])
    }
    await withMemory(context, work, { author: flags.author })
    return 0
  },
})

/** The library speaks of its argument. */
function inFlags(error: unknown): unknown {
  if (!isMemoryError(error) || error.code !== 'CONFLICT') return error
  return new MemoryError(error.code, error.message.replaceAll('mode=', '--mode '), { cause: error })
}

function modeOf(given = 'strict'): ForgetMode {
  const mode = FORGET_MODES.find((known) => known === given)
  if (mode) return mode
  throw new UsageError(`--mode must be strict, cascade or reparent, got ${JSON.stringify(given)}`)
}
