import type { FilesEnvelope } from '../../core/files.ts'
import type { ForestEnvelope } from '../../core/forest.ts'
import type { OverviewEnvelope } from '../../core/overview.ts'
import type { Palette } from '../../util/terminal-color.ts'
import { alignColumns } from '../../util/terminal-table.ts'
import { abbreviate, plural } from '../../util/terminal-units.ts'
import { treeLines } from './tree.ts'

const MAX_TREE_LINES = 20

export interface WhatIsThere {
  overview: OverviewEnvelope
  files: FilesEnvelope
  /** Two levels of it. */
  tree: ForestEnvelope
}

/** A first look at a memory: how much, of what, and how it begins. */
export function overviewLines({ overview, files, tree }: WhatIsThere, palette: Palette): string[] {
  const { total, tokens, by_type } = overview.nodes
  const fileCount = files.roots.reduce((sum, { files: found }) => sum + found.length, 0)
  const types = Object.entries(by_type).map(([type, count]) => `${count} ${type}`)
  const shown = firstLines(treeLines(tree.roots, palette), MAX_TREE_LINES)
  const more = total - shown.length
  return [
    '',
    palette.bold(`${plural(fileCount, 'file')}, ${plural(total, 'node')}, ${abbreviate(tokens)} tokens`),
    ...(types.length > 0 ? [`  ${types.join(', ')}`] : []),
    '',
    ...(total === 0 ? ['No nodes in database.'] : shown),
    ...(more > 0 ? [palette.dim(`… ${more} more`)] : []),
  ]
}

function firstLines(lines: Iterable<string>, limit: number): string[] {
  const first: string[] = []
  for (const line of lines) {
    if (first.length === limit) break
    first.push(line)
  }
  return first
}

/** Commands to go on with: each can be typed as it stands, comment and all. */
export function nextLines(
  { tree }: WhatIsThere,
  command: (words: string) => string,
  palette: Palette,
): string[] {
  const [first] = tree.roots
  // Letters only: no shell takes them for something else.
  const [word] = first?.label.match(/\p{L}{3,}/u) ?? []
  const commands = [
    ...(word ? [[`search ${word}`, 'nodes with a word, best first']] : []),
    ...(first ? [[`fetch ${first.id}`, 'a node with all that is below it']] : []),
    ['tree', 'the outline, page by page'],
    ...(first ? [[`history ${first.id}`, 'what a node has been']] : []),
    ['delta', 'what happened so far'],
    ['doctor', 'whether all is well'],
  ].map(([words = '', comment = '']) => [command(words), `# ${comment}`])
  return ['', palette.bold('Next:'), ...alignColumns(commands).map((line) => `  ${line}`)]
}
