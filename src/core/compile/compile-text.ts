import { printable } from '../../util/text/printable.ts'
import { plural } from '../../util/text/units.ts'
import { cutUntil } from '../find/fit.ts'
import { type Palette, PLAIN_PALETTE } from '../palette.ts'
import { redactedLines } from '../redacted-text.ts'
import { utf8Length } from '../tokens.ts'
import type { CompileResult } from './compile.ts'

export interface CompiledCounts extends CompileResult {
  /** Nodes in the memory that say something else than their file. */
  overlays: number
  /** Nodes that got another heat. */
  reseeded?: number
}

type Unread = Readonly<CompileResult['unread']>

/** Of files that are not read; the others are summed up. */
const MAX_KINDS = 8

export interface CompiledOptions {
  /** The command or call that shows the versions of a node. */
  historyOf: (nodeId: string) => string
  palette?: Palette
}

/** The result of a compile. `skippedLine` lists the skipped files and why. */
export function compiledLines(result: CompiledCounts, options: CompiledOptions): string[] {
  const { added, modified, removed, total, skipped, warnings, unread } = result
  const { conflicts, overlays, reseeded = 0, redactions } = result
  const { historyOf, palette = PLAIN_PALETTE } = options
  const kept = `kept: ${plural(overlays, 'node')} as edited, forgotten or rolled back, not as in the file`
  return [
    `${palette.bold('compiled:')} ${added} added, ${modified} modified, ${removed} removed (${plural(total, 'op')})`,
    ...(skipped.length > 0
      ? [`${palette.yellow('skipped:')} ${plural(skipped.length, 'file')} that could not be read`]
      : []),
    ...(warnings.length > 0 ? [`${palette.yellow('warnings:')} ${warnings.length}`] : []),
    ...unreadLines(unread).map(palette.dim),
    ...(reseeded > 0 ? [`${palette.bold('reseeded:')} ${plural(reseeded, 'node')}`] : []),
    ...redactedLines(redactions, palette),
    ...(overlays > 0 ? [palette.dim(kept)] : []),
    ...conflicts.map((conflict) => conflictLine(conflict, historyOf, palette)),
  ]
}

function unreadLines(unread: Unread): string[] {
  const { files, kinds } = unreadKinds(unread)
  return files === 0 ? [] : [printable(`${plural(files, 'file')} skipped: ${kinds}`)]
}

/** Files of no kind that is read: how many, and of which kinds, as `3 png, 1 canvas, 1 zip`. */
export function unreadKinds(unread: Unread): { files: number; kinds: string } {
  const counts = Object.entries(unread)
  const sum = (some: typeof counts): number => some.reduce((total, [, count]) => total + count, 0)
  const shown = counts.slice(0, MAX_KINDS).map(([kind, count]) => `${count} ${kind || 'without extension'}`)
  const others = sum(counts.slice(MAX_KINDS))
  if (others > 0) shown.push(`${others} other`)
  return { files: sum(counts), kinds: shown.join(', ') }
}

function conflictLine(
  { kind, operation, nodeId, path }: CompileResult['conflicts'][number],
  historyOf: (nodeId: string) => string,
  palette: Palette,
): string {
  const what = kind === 'changed' ? 'the file changed under' : 'the file no longer has the text under'
  return `${palette.yellow('conflict:')} ${printable(path)}: ${what} your ${operation} of node ${nodeId}: the file won; ${historyOf(nodeId)} shows what it was`
}

/** `notes/a.md:3: reason`. */
export function skippedLine({ path, line, reason }: CompileResult['skipped'][number]): string {
  return printable(`${path}${line === null ? '' : `:${line}`}: ${reason}`)
}

const MAX_REASONS = 5
const REASON_BYTES = 100
/** The lines of `leftOutLines` take no more than this. */
export const LEFT_OUT_REASONS_BYTES = (MAX_REASONS + 1) * (REASON_BYTES + 40)

/** Files that are not named: how many there are for each reason, the most frequent ones first. */
export function leftOutLines(files: readonly CompileResult['skipped'][number][]): string[] {
  const counts = new Map<string, number>()
  for (const { reason } of files) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const reasons = [...counts].toSorted(([, a], [, b]) => b - a)
  const others = reasons.slice(MAX_REASONS).reduce((sum, [, count]) => sum + count, 0)
  return [
    ...reasons.slice(0, MAX_REASONS).map(([reason, count]) => `… ${count} more: ${cutReason(reason)}`),
    ...(others > 0 ? [`… ${others} more for other reasons`] : []),
  ]
}

function cutReason(reason: string): string {
  return cutUntil(printable(reason), (cut) => utf8Length(cut) <= REASON_BYTES)
}
