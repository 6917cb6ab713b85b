import type { FirstLook } from '../../core/find/map/first-look.ts'
import type { OverviewCounts, OverviewEnvelope } from '../../core/observe/overview.ts'
import type { Palette } from '../../util/terminal/color.ts'
import { alignColumns } from '../../util/terminal/table.ts'
import { abbreviate, plural } from '../../util/text/units.ts'
import type { Context } from '../base/command.ts'
import { firstLookLines } from './first-look.ts'

export interface WhatIsThere {
  overview: OverviewEnvelope
  look: FirstLook
}

/** A first look at a memory: its size and kinds, and the same outline or map that `tree` prints. */
export function overviewLines(
  { overview, look }: { overview: OverviewCounts; look: FirstLook },
  context: Context,
): string[] {
  const { total, tokens, by_type } = overview.nodes
  const types = Object.entries(by_type).map(([type, count]) => `${count} ${type}`)
  return [
    '',
    context.palette.bold(
      `${plural(look.files, 'file')}, ${plural(total, 'node')}, ${abbreviate(tokens)} tokens`,
    ),
    ...(types.length > 0 ? [`  ${types.join(', ')}`] : []),
    '',
    ...(total === 0 ? ['No nodes in database.'] : firstLookLines(look, context, overview.db_path)),
  ]
}

/** Commands to continue with: each can be typed exactly, including its comment. */
export function nextLines(
  { look }: WhatIsThere,
  command: (words: string) => string,
  palette: Palette,
): string[] {
  const first = firstNode(look)
  // Letters only: no shell takes them for something else.
  const [word] = first?.label.match(/\p{L}{3,}/u) ?? []
  const commands = [
    ...(word ? [[`search ${word}`, 'nodes with a word, best first']] : []),
    ...(first ? [[`fetch ${first.id}`, 'a node with all that is below it']] : []),
    ['tree', 'the outline, or a map of it'],
    ...(first ? [[`history ${first.id}`, 'the versions of a node']] : []),
    ['delta', 'the changes so far'],
    ['doctor', 'whether all is well'],
  ].map(([words = '', comment = '']) => [command(words), `# ${comment}`])
  return ['', palette.bold('Next:'), ...alignColumns(commands).map((line) => `  ${line}`)]
}

/** A node to try commands with: the first of the outline, or the first document on the map. */
function firstNode(look: FirstLook): { id: string; label: string } | undefined {
  if (look.kind === 'outline') return look.outline.nodes[0]
  const documents = look.map.entries.flatMap((entry) => [entry, ...entry.inside])
  const found = documents.find(({ nodeId }) => nodeId !== null)
  return found?.nodeId ? { id: found.nodeId, label: found.name } : undefined
}
