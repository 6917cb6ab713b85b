import { printable } from '../../util/text/printable.ts'
import { escapeNodeName } from '../answer-lines.ts'
import type { PlacedVersion } from '../history/version-places.ts'
import { labelOfState } from '../history/version-places.ts'
import { decodeLinks } from '../link.ts'
import { writeLink } from '../link-text.ts'
import { type Palette, PLAIN_PALETTE } from '../palette.ts'
import type { VersionRow, VersionState } from '../port/store.ts'
import { utf8End, utf8Length } from '../tokens.ts'

const EXCERPT_BYTES = 100

/** `[add] 25FHWVYdid1 (snapshot 7) Groceries`. */
export function deltaLine(row: VersionRow, palette: Palette = PLAIN_PALETTE): string {
  const label = labelOfVersion(row)
  const snapshot = palette.dim(`(snapshot ${row.snapshotId})`)
  return `${paintOp(row, palette)} ${row.nodeId} ${snapshot}${label === '' ? '' : ` ${printable(label)}`}`
}

/** A version of a node in a few lines, with the beginnings of its texts or with whole ones. */
export function historyLines(
  row: PlacedVersion,
  palette: Palette = PLAIN_PALETTE,
  { isWhole = false } = {},
): string[] {
  const excerpt = (name: string, state: VersionState | null): string[] =>
    state && state.text !== '' ? [`  ${name}: ${printable(isWhole ? state.text : cut(state.text))}`] : []
  return [
    `${palette.bold(`snapshot ${row.snapshotId}`)}: ${row.op}`,
    ...(row.fileNow === undefined ? [] : [`  file: ${printable(row.file)}`]),
    ...structureLines(row).map((line) => `  ${line}`),
    ...excerpt('old', row.old),
    ...excerpt('new', row.new),
  ]
}

/** What changed besides the text. */
export function structureLines({ old: before, new: after }: VersionRow): string[] {
  if (!before || !after) return []
  const lines: string[] = []
  if (before.parentId !== after.parentId) lines.push(`moved: ${place(before)} → ${place(after)}`)
  else if (before.position !== after.position) lines.push(`moved: ${place(after)}, to another position`)
  if (before.type !== after.type) lines.push(`type: ${before.type} → ${after.type}`)
  if (before.format !== after.format) lines.push(`format: ${before.format} → ${after.format}`)
  // A label derived from the text changes with it.
  if (before.label !== after.label && (before.label !== null || after.label !== null))
    lines.push(`label: ${printable(labelOfState(before))} → ${printable(labelOfState(after))}`)
  if (before.links !== after.links) lines.push(`links: ${linksOf(before)} → ${linksOf(after)}`)
  return lines
}

function linksOf({ links }: VersionState): string {
  return printable(decodeLinks(links).map(writeLink).join(' ')) || 'none'
}

export function paintOp({ op }: Pick<VersionRow, 'op'>, palette: Palette): string {
  const paint = { add: palette.green, mod: palette.yellow, rem: palette.red }[op]
  return paint(`[${op}]`)
}

/** The new label of a node, or the last one of a removed node; '' if it was erased. */
export function labelOfVersion({ old: before, new: after }: VersionRow): string {
  const state = after ?? before
  return state ? labelOfState(state) : ''
}

function place({ parentId }: VersionState): string {
  return parentId === null ? 'a root' : `under ${parentId}`
}

/** Only the beginnings of its texts are shown. */
export function isExcerpted({ old: before, new: after }: VersionRow): boolean {
  return [before, after].some((state) => state !== null && utf8Length(state.text) > EXCERPT_BYTES)
}

export function cut(text: string): string {
  return utf8Length(text) <= EXCERPT_BYTES ? text : `${text.slice(0, utf8End(text, 0, EXCERPT_BYTES))}...`
}

/** `plan.md › Budget: Rent is due`: the place of a node, and its label. */
export function placeWords(row: PlacedVersion): string {
  const place = [row.file, row.heading].filter((part) => part !== '').map((part) => beginning(part))
  const label = labelOfVersion(row)
  return [place.join(' › '), ...(label === '' ? [] : [beginning(label)])].join(': ')
}

function beginning(text: string): string {
  return escapeNodeName(cut(text))
}

/** The heading above the versions of a node, from the newest one. */
export function historyTitle(row: PlacedVersion, palette: Palette = PLAIN_PALETTE): string {
  return `${palette.bold(row.nodeId)} ${placeWords({ ...row, file: row.fileNow ?? row.file })}`
}
