import { compileJson } from '../../../core/compile/compile-json.ts'
import { compilingLine, filesDone } from '../../../core/compile/compile-progress.ts'
import {
  compiledLines,
  LEFT_OUT_REASONS_BYTES,
  leftOutLines,
  skippedLine,
} from '../../../core/compile/compile-text.ts'
import { DEFAULT_ROOM } from '../../../core/find/budget.ts'
import { fitting } from '../../../core/find/fit.ts'
import { utf8Length } from '../../../core/tokens.ts'
import { plural } from '../../../util/text/units.ts'
import type { Compiled, StillCompiling } from '../../model/agent-memory.ts'
import { object, optional, text } from '../../model/schema.ts'
import { COMPILING_META, type ToolAnswer } from '../../model/tool.ts'
import { defineTool } from '../define-tool.ts'
import { INTEGER, INTEGER_OR_NULL, mayHave, members, OBJECT, rows, TEXT, TEXT_OR_NULL } from '../output.ts'
import { MAX_LINE } from './arguments.ts'

export const memoryCompile = defineTool({
  name: 'MemoryCompile',
  description: 'Save files to the memory: read an edited file or folder of the source.',
  hint: 'import documents',
  toolset: 'tree',
  effect: 'sets',
  // It reads folders of the machine.
  scope: 'operator',
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

  async call({ memory, signal }, { path, ...options }) {
    const result = await memory.compile(path, { ...options, signal })
    if ('compiling' in result) return stillCompiling(result)
    return { text: textOf(result), structured: compileJson(result) }
  },
})

/** For all lines about omissions. */
const LEFT_OUT_BYTES = LEFT_OUT_REASONS_BYTES + 200

/** A client would not wait for the end. */
function stillCompiling({ compiling }: StillCompiling): ToolAnswer {
  const text = `${compilingLine(compiling)}. It continues in the background: call MemoryCompile with the same path to wait for its end, or work with the current content`
  const done = filesDone(compiling)
  return { text, structured: { compiling: done }, meta: { [COMPILING_META]: done } }
}

function textOf(result: Compiled): string {
  const [first = '', ...others] = compiledLines(result, { historyOf: (id) => `MemoryHistory of ${id}` })
  const { files, skipped, warnings } = result
  const head = [
    first + snapshotWords(result),
    `files: ${files.seen} seen, ${files.changed} changed, ${files.removed} removed`,
    ...others,
  ]
  // Only a file that is read again has its warnings again: they come first.
  const problems = [...warnings, ...skipped]
  const lines = [...head, ...problems.map((file) => `  ${skippedLine(file)}`)]
  const kept = fitting(lines, DEFAULT_ROOM, (count) => (count === lines.length ? 0 : LEFT_OUT_BYTES))
  const left = problems.slice(Math.max(0, kept - head.length))
  return [
    ...lines.slice(0, kept),
    ...leftOutLines(left),
    ...(left.length > 0 && skipped.length > 0
      ? ['… MemoryCompile path=<one of these files> names its problem']
      : []),
    ...conflictsLeft(head.length - kept, result),
  ].join('\n')
}

/** If nothing changed because nothing could be read, the line about skipped files says it. */
function snapshotWords({ snapshot, skipped }: Compiled): string {
  if (snapshot) return `; snapshot ${snapshot.id}`
  return `; no new snapshot${skipped.length > 0 ? '' : ': content unchanged'}`
}

/** Conflicts are the last of the lines above the files. */
function conflictsLeft(count: number, { snapshot }: Compiled): string[] {
  if (count <= 0) return []
  const changes = snapshot ? `; every change: MemoryDelta since_snapshot=${snapshot.id - 1}` : ''
  return [`… ${plural(count, 'more conflict')}${changes}`]
}
