import { nodeLine } from '../../core/find/node-line.ts'
import type { ForestNode } from '../../core/observe/forest.ts'
import type { GraphEnvelope } from '../../core/observe/graph.ts'
import { costLines, inspectLines } from '../../core/render/stats-text.ts'
import type { Memory } from '../../runtime/memory/open-memory.ts'
import type { Palette } from '../../util/terminal/color.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { printable } from '../../util/text/printable.ts'
import { plural } from '../../util/text/units.ts'
import { type Context, defineCommand, UsageError } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'
import { filesLines } from '../layout/files.ts'
import { paintOf } from '../layout/paint.ts'

const DEFAULT_DEPTH = 10

export const command = defineCommand({
  parameters: {},
  flags: {
    tree: { kind: 'switch', help: 'Show the nodes as a tree' },
    depth: {
      kind: 'number',
      value: 'N',
      min: 0,
      help: `With --tree: levels below the roots, 0 for all. Default: ${DEFAULT_DEPTH}, all with --json`,
    },
    files: { kind: 'switch', help: 'Show the compiled files, by folder' },
    links: { kind: 'switch', help: 'Show how the nodes are linked, and which links wait for their target' },
    json: {
      kind: 'switch',
      help: 'Print JSON, as remindb://overview, tree, files and graph have it',
    },
  },
  examples: [
    'remindb inspect',
    'remindb inspect --tree --depth 2',
    'remindb inspect --links',
    'remindb inspect --files --json --db docs',
  ],

  async run(context, { flags: { tree, depth, files, links, json } }) {
    if (depth !== undefined && !tree) throw new UsageError('--depth requires --tree')
    if (Number(tree) + Number(files) + Number(links) > 1)
      throw new UsageError('--tree, --files and --links exclude each other; give only one')
    await withMemory(context, async (memory, settings) => {
      if (tree)
        return json
          ? printJson(context, await memory.forest({ depth: depth ?? 0 }))
          : printTree(context, memory, depth)
      if (files) return json ? printJson(context, await memory.files()) : printFiles(context, memory)
      if (links) return json ? printJson(context, await memory.graph()) : printLinks(context, memory)
      const overview = await memory.overview()
      if (json) return printJson(context, overview)
      const hot = Number(settings['temperature.hot_threshold'])
      const cold = Number(settings['temperature.cold_threshold'])
      const cost = await memory.historyCost()
      return writeLines(context.out, [
        ...inspectLines(overview, { hot, cold }, context.palette),
        ...costLines(cost),
      ])
    })
    return 0
  },
})

async function printTree({ out, palette }: Context, memory: Memory, depth = DEFAULT_DEPTH): Promise<void> {
  const { roots } = await memory.forest({ depth })
  if (roots.length === 0) return writeLines(out, ['No nodes in database.'])
  await writeLines(out, treeLines(roots, palette))
  const { nodes } = await memory.overview()
  const hidden = nodes.total - countNodes(roots)
  if (hidden > 0)
    await writeLines(out, [
      palette.dim(`… ${plural(hidden, 'node')} below depth ${depth}; --depth 0 shows all`),
    ])
}

async function printFiles({ out, palette }: Context, memory: Memory): Promise<void> {
  const found = await memory.files()
  if (found.roots.length === 0) return writeLines(out, ['No files in database.'])
  await writeLines(out, filesLines(found, palette))
}

async function printLinks({ out, palette }: Context, memory: Memory): Promise<void> {
  const found = await memory.graph()
  if (found.edges.length + found.pending.length === 0) return writeLines(out, ['No links in database.'])
  await writeLines(out, linksLines(found, palette))
}

async function printJson({ out }: Context, value: unknown): Promise<void> {
  await writePieces(out, jsonPieces(value))
}

/** One line per link: the label and id at both ends; the target of a pending link is in quotes. */
function* linksLines({ nodes, edges, pending }: GraphEnvelope, palette: Palette): Generator<string> {
  const labels = new Map(nodes.map(({ id, label }) => [id, label]))
  const end = (id: string): string => `${printable(labels.get(id) ?? '')} ${palette.dim(`(${id})`)}`
  for (const { source, target, weight, origin } of edges) {
    yield `${end(source)} -> ${end(target)} ${palette.dim(`${origin} weight=${weight.toFixed(2)}`)}`
  }
  for (const { source, target_label, target_source, target_id_hint, weight, origin } of pending) {
    const wanted = target_label || target_id_hint
    const id = target_label !== '' && target_id_hint !== '' ? ` (id=${target_id_hint})` : ''
    const where = target_source === '' ? id : ` in ${target_source}`
    const facts = palette.dim(`${origin} weight=${weight.toFixed(2)} pending`)
    yield `${end(source)} -> "${printable(`${wanted}"${where}`)} ${facts}`
  }
}

interface Placed {
  node: ForestNode
  level: number
  /** Of the parent: a source is only shown if it differs. */
  source: string
}

/** One line per node, in document order. */
function* treeLines(roots: readonly ForestNode[], palette: Palette): Generator<string> {
  const paint = paintOf(palette)
  const waiting: Placed[] = []
  const add = (nodes: readonly ForestNode[], level: number, source: string): void => {
    for (let at = nodes.length - 1; at >= 0; at--)
      waiting.push({ node: nodes[at] as ForestNode, level, source })
  }
  add(roots, 0, '')
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, level, source: above } = next
    yield nodeLine(node, { level, file: node.source === above ? undefined : node.source, paint })
    add(node.children, level + 1, node.source)
  }
}

function countNodes(roots: readonly ForestNode[]): number {
  const waiting = [...roots]
  let count = 0
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    count++
    for (const child of node.children) waiting.push(child)
  }
  return count
}
