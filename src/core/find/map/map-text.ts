import { abbreviate, plural } from '../../../util/text/units.ts'
import { escapeNodeName } from '../../answer-lines.ts'
import { utf8End, utf8Length } from '../../tokens.ts'
import { nodeLine } from '../node-line.ts'
import { type Paint, PLAIN } from '../paint.ts'
import type { MapEntry, MapGroup, MemoryMap } from './map-model.ts'

const NAME_BYTES = 72
const LABEL_BYTES = 28

/** How an agent opens more; for a person it names commands instead. */
export const OPEN_MORE =
  'open more: MemoryTree depth=0 lists every document, id=<id> opens one; MemorySearch path:<folder> <words>'

export interface MapTextOptions {
  paint?: Paint
  /** The last line: how to open more. */
  open?: string
}

/** A map as text. Every line about content is indented: no name can pass for one of our lines. */
export function mapText(map: MemoryMap, { paint = PLAIN, open = OPEN_MORE }: MapTextOptions = {}): string {
  return [
    ...headLines(map),
    ...map.entries.flatMap((entry) => entryLines(entry, map.folder, paint)),
    ...map.sections.map((node) => sectionLine(node, paint)),
    ...restLines(map.rest),
    ...tailLines(map, paint),
    paint.dim(open),
  ].join('\n')
}

export function headLines({ documents, nodes, tokens, folder }: MemoryMap): string[] {
  const inside = folder === '' ? '' : ` in ${shortName(folder)}`
  return [
    `map: ${plural(documents, 'document')}${inside}, ${plural(nodes, 'node')}, ${abbreviate(tokens)} tokens`,
  ]
}

export function entryLines({ inside, more, ...entry }: MapEntry, folder: string, paint = PLAIN): string[] {
  return [
    groupLine(entry, { level: 1, folder }, paint),
    ...inside.map((group) => groupLine(group, { level: 2, folder: entry.name }, paint)),
    ...(inside.length > 0 && more > 0 ? [`    … ${more} more`] : []),
  ]
}

/** `  docs/ (35 documents, 2.1k nodes, 60.1k tokens)`; `  plan.md (id=25FHWVYdid1, 24 nodes, 1.2k tokens)`. */
export function groupLine(
  group: MapGroup,
  { level, folder }: { level: number; folder: string },
  paint = PLAIN,
): string {
  const { name, documents, nodes, tokens, nodeId } = group
  const what = [
    nodeId !== null && documents === 1 ? `id=${nodeId}` : plural(documents, 'document'),
    nodes === 1 ? '1 node' : `${abbreviate(nodes)} nodes`,
    `${abbreviate(tokens)} tokens`,
  ]
  return `${'  '.repeat(level)}${shortName(name.slice(folder.length))} ${paint.dim(`(${what.join(', ')})`)}`
}

export function sectionLine(node: MemoryMap['sections'][number], paint = PLAIN): string {
  return nodeLine(node, { level: 2, labelBytes: LABEL_BYTES, paint })
}

export function restLines({ entries, documents, tokens }: MemoryMap['rest']): string[] {
  if (entries === 0) return []
  return [`  … ${entries} more (${plural(documents, 'document')}, ${abbreviate(tokens)} tokens)`]
}

export function tailLines({ warm, changed, changedAtOnce }: MemoryMap, paint = PLAIN): string[] {
  return [
    ...(warm.length === 0 ? [] : ['warm:']),
    ...warm.map((node) =>
      nodeLine(node, { level: 1, file: shortName(node.source), labelBytes: LABEL_BYTES, paint }),
    ),
    ...(changed.length === 0 ? [] : [`changed last: ${changed.map(changeWords).join(', ')}`]),
    ...(changedAtOnce === null ? [] : [`changed last: many documents at once (snapshot ${changedAtOnce})`]),
  ]
}

function changeWords({ name, snapshotId }: MemoryMap['changed'][number]): string {
  return `${shortName(name)} (snapshot ${snapshotId})`
}

function shortName(name: string): string {
  const shown = escapeNodeName(name)
  return utf8Length(shown) <= NAME_BYTES ? shown : `${shown.slice(0, utf8End(shown, 0, NAME_BYTES - 3))}…`
}
