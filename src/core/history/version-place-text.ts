import { escapeNodeName } from '../answer-lines.ts'
import { type Palette, PLAIN_PALETTE } from '../palette.ts'
import type { PlacedVersion } from './version-places.ts'
import { cut, labelOfVersion } from './versions-text.ts'

/** `plan.md › Budget: Rent is due`: where a node stands, and how it begins. */
export function placeWords(row: PlacedVersion): string {
  const place = [row.file, row.heading].filter((part) => part !== '').map((part) => beginning(part))
  const label = labelOfVersion(row)
  return [place.join(' › '), ...(label === '' ? [] : [beginning(label)])].join(': ')
}

function beginning(text: string): string {
  return escapeNodeName(cut(text))
}

/** Above the versions of a node: which one it is, as the newest of them has it. */
export function historyTitle(row: PlacedVersion, palette: Palette = PLAIN_PALETTE): string {
  return `${palette.bold(row.nodeId)} ${placeWords(row)}`
}
