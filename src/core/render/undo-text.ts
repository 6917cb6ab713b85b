import { printable } from '../../util/text/printable.ts'
import { plural } from '../../util/text/units.ts'
import { escapeNodeName } from '../answer-lines.ts'
import type { UndoConflict, UndoPreview, UndoResult } from '../history/undo.ts'
import { type Palette, PLAIN_PALETTE } from '../palette.ts'
import { utf8End, utf8Length } from '../tokens.ts'
import { cut } from './versions-text.ts'

/** What was asked for: how a line names it. */
export type UndoAsked = 'restore' | { revert: readonly number[] } | { author: string; since: string }

const MAX_NAMED = 10

function object(asked: UndoAsked, target: number | null): string {
  if (asked === 'restore') return `from snapshot ${target}`
  if ('author' in asked) return `what ${printable(asked.author)} did since ${printable(asked.since)}`
  const { revert } = asked
  const named = revert.slice(0, MAX_NAMED).join(', ')
  return `snapshot${revert.length > 1 ? 's' : ''} ${named}${revert.length > MAX_NAMED ? ', …' : ''}`
}

/** The first line of an answer: what happened, and in which snapshot. */
export function undoneLine(result: UndoResult, asked: UndoAsked): string {
  const what = object(asked, result.target)
  const done = asked === 'restore' ? 'restored' : 'reverted'
  if (result.status === 'conflict')
    return `not ${done} ${what}: ${plural(result.total, 'conflict')}; nothing was changed`
  if (result.status === 'unchanged') {
    const why = asked === 'restore' ? 'already as it was then' : 'already as it was before, or erased since'
    return `nothing to ${asked === 'restore' ? 'restore' : 'revert'} ${what}: ${why}${erasedWords(result)}`
  }
  const { snapshot, affected, documents } = result
  const parts = [
    `new snapshot ${snapshot.id}`,
    `${plural(affected, 'node')} affected`,
    ...doorWords(documents),
  ]
  return `${done} ${what} (${parts.join(', ')})${erasedWords(result)}`
}

function doorWords(documents: number): string[] {
  return documents > 0 ? [plural(documents, 'key, record or file', 'keys, records or files')] : []
}

function erasedWords({ erased }: { erased: number }): string {
  return erased > 0 ? `; ${plural(erased, 'document')} stay${erased === 1 ? 's' : ''} erased` : ''
}

/** The last line of a dry run. */
export function wouldUndoLine(preview: UndoPreview, asked: UndoAsked): string {
  const { target, changes, documents, total } = preview
  const isNothing = changes.length + documents.length === 0
  const parts = [plural(changes.length, 'node'), ...doorWords(documents.length)]
  const what = isNothing ? 'nothing would change' : `would change ${parts.join(', ')}`
  const conflicts = total > 0 ? `, with ${plural(total, 'conflict')}` : ''
  const verb = asked === 'restore' ? 'restore' : 'revert'
  return `${verb} ${object(asked, target)}: ${what}${conflicts}${erasedWords(preview)}. This was a dry run: nothing was changed`
}

const WHY: Record<UndoConflict['kind'], string> = {
  changed: 'changed later',
  below: 'below a node that would be gone; would become a root',
  beside: 'in the same document, which is stored as one text; changed later',
}

/** One conflict: where it is, its text now, and the text that it would have again. */
export function conflictLines(conflict: UndoConflict, palette: Palette = PLAIN_PALETTE): string[] {
  const { kind, nodeId, file, heading, changedIn, now, wouldBe } = conflict
  const place = [file, heading].filter((part) => part !== '').map((part) => escapeNodeName(cut(part)))
  const when = changedIn === null ? '' : ` (snapshot ${changedIn})`
  const where = [...(nodeId === null ? [] : [nodeId]), place.join(' › ')].join(' ')
  const text = (said: string | null): string => (said === null ? '(not there)' : printable(said))
  return [
    `${palette.red('[conflict]')} ${where}: ${WHY[kind]}${when}`,
    `  now: ${text(now)}`,
    ...(kind === 'below' ? [] : [`  would be: ${text(wouldBe)}`]),
  ]
}

/** Conflicts whose texts fit into `room` bytes; long texts are cut. */
export function fitConflicts(conflicts: readonly UndoConflict[], room: number): UndoConflict[] {
  const most = Math.max(LEAST, Math.floor(room / Math.max(1, conflicts.length) / 2) - AROUND)
  const shown = conflicts.slice(0, Math.max(1, Math.floor(room / 2 / (LEAST + AROUND))))
  const fit = (text: string | null): string | null =>
    text === null || utf8Length(text) <= most ? text : `${text.slice(0, utf8End(text, 0, most))}…`
  return shown.map((one) => ({ ...one, now: fit(one.now), wouldBe: fit(one.wouldBe) }))
}

/** Bytes: of a text at least, and of what is around it. */
const LEAST = 100
const AROUND = 180
