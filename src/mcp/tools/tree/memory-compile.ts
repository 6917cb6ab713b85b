import { compileJson } from '../../../core/compile-json.ts'
import { compilingLine, filesDone } from '../../../core/compile-progress.ts'
import { compiledLines, skippedLine } from '../../../core/compile-text.ts'
import { DEFAULT_ROOM } from '../../../core/find/budget.ts'
import { fitting } from '../../../core/find/fit.ts'
import { utf8Length } from '../../../core/tokens.ts'
import { inSnapshot } from '../../../core/write-text.ts'
import { plural } from '../../../util/terminal-units.ts'
import type { Compiled, StillCompiling } from '../../hands.ts'
import { object, optional, text } from '../../schema.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, INTEGER_OR_NULL, mayHave, members, OBJECT, rows, TEXT, TEXT_OR_NULL } from '../output.ts'
import type { ToolAnswer } from '../tool.ts'
import { MAX_LINE } from './arguments.ts'

export const memoryCompile = defineTool({
  name: 'MemoryCompile',
  description:
    'Save files to the memory: read a changed file or folder of the source (Markdown, text, HTML, JSON, YAML, TOON).',
  hint: 'import documents',
  toolset: 'tree',
  effect: 'sets',
  input: object({
    path: text('In the source', { max: MAX_LINE }),
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
  const { files, skipped, warnings, snapshot } = result
  const lines = [
    first + inSnapshot(snapshot),
    `files: ${files.seen} seen, ${files.changed} changed, ${files.removed} removed`,
    ...others,
    ...[...skipped, ...warnings].map((file) => `  ${skippedLine(file)}`),
  ]
  const more = (kept: number): string => moreLine(lines.length - kept, snapshot)
  const kept = fitting(lines, DEFAULT_ROOM, (count) => utf8Length(more(count)))
  return [...lines.slice(0, kept), more(kept)].filter(Boolean).join('\n')
}

/** What was skipped is named by a compile of less; what changed is in the history. */
function moreLine(count: number, snapshot: Compiled['snapshot']): string {
  if (count === 0) return ''
  const changes = snapshot ? `; every change: MemoryDelta since_snapshot=${snapshot.id - 1}` : ''
  return `… ${plural(count, 'more line')}: MemoryCompile a folder below${changes}`
}
