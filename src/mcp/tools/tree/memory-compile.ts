import { compileJson } from '../../../core/compile-json.ts'
import { compilingLine, filesDone } from '../../../core/compile-progress.ts'
import { compiledLines, skippedLine } from '../../../core/compile-text.ts'
import { utf8Length } from '../../../core/tokens.ts'
import { inSnapshot } from '../../../core/write-text.ts'
import type { Compiled, StillCompiling } from '../../hands.ts'
import { object, optional, text } from '../../schema.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, INTEGER_OR_NULL, mayHave, members, OBJECT, rows, TEXT, TEXT_OR_NULL } from '../output.ts'
import type { ToolAnswer } from '../tool.ts'
import { MAX_LINE } from './arguments.ts'

/** Of files that were skipped or have warnings; the structured result has all of them. */
const MAX_PROBLEMS = 20

export const memoryCompile = defineTool({
  name: 'MemoryCompile',
  title: 'Compile files',
  description:
    'Bring the memory to what a file or folder of the source says: Markdown, text, HTML, JSON, YAML, TOON. Use it after files changed.',
  toolset: 'tree',
  effect: 'replaces',
  input: object({
    path: text('File or folder inside the source', { max: MAX_LINE }),
    message: optional(text('For the snapshot', { max: MAX_LINE })),
  }),
  // Either `compiling` or all others.
  output: mayHave({
    compiling: members('done', 'total'),
    root: TEXT,
    added: INTEGER,
    modified: INTEGER,
    removed: INTEGER,
    total: INTEGER,
    files: members('seen', 'changed', 'removed'),
    skipped: rows('path', 'line', 'reason'),
    warnings: rows('path', 'line', 'reason'),
    unread: OBJECT,
    overlays: INTEGER,
    conflicts: rows('node_id', 'operation', 'kind', 'path'),
    redactions: OBJECT,
    snapshot_id: INTEGER_OR_NULL,
    cursor_hash: TEXT_OR_NULL,
  }),
  logged: ({ path, message }) => ({ path, message_bytes: utf8Length(message ?? '') }),

  async call({ hands, signal }, { path, ...options }) {
    const result = await hands.compile(path, { ...options, signal })
    if ('compiling' in result) return stillCompiling(result)
    return { text: textOf(result), structured: compileJson(result) }
  },
})

/** A client would not wait for the end. */
function stillCompiling({ compiling }: StillCompiling): ToolAnswer {
  const text = `${compilingLine(compiling)}. It goes on in the background: call MemoryCompile with the same path to wait for its end, or work with what is there`
  return { text, structured: { compiling: filesDone(compiling) } }
}

function textOf(result: Compiled): string {
  const [first = '', ...others] = compiledLines(result, { historyOf: (id) => `MemoryHistory of ${id}` })
  const { skipped, warnings, snapshot } = result
  const problems = [...skipped, ...warnings]
  const more = problems.length - MAX_PROBLEMS
  return [
    first + inSnapshot(snapshot),
    ...others,
    ...problems.slice(0, MAX_PROBLEMS).map((file) => `  ${skippedLine(file)}`),
    ...(more > 0 ? [`  … ${more} more`] : []),
  ].join('\n')
}
