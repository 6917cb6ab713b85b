import type { Preparation, PrepareTools } from '../prepare.ts'
import { flatten } from '../rows/flatten.ts'
import { type DocumentNode, splices } from './splice.ts'

export interface EditInput {
  text: string
  /** The nodes of the text, in its order. */
  nodes: readonly DocumentNode[]
  edits: Edits
}

/** By node key: its new text, or null to remove it. */
export type Edits = ReadonlyMap<number, string | null>

/** The first candidate text that contains the edits and leaves everything else unchanged. */
export const prepareEditedText: Preparation<EditInput, string | undefined> = {
  name: 'edited text',
  lengthOf: ({ text, edits }) =>
    [...edits.values()].reduce((length, edit) => length + (edit?.length ?? 0), text.length),
  run(tools, { text, nodes, edits }) {
    for (const candidate of splices(text, nodes, edits))
      if (matchesEdits(tools, candidate, nodes, edits)) return candidate
    return undefined
  },
}

/** A node's content, regardless of its place. */
type NodeContent = Pick<DocumentNode, 'type' | 'text'>

/**
 * Whether a text parses to the nodes with their edits, and nothing else changed. Where a long text is split, and
 * whether two adjacent nodes are one, may differ.
 */
function matchesEdits(
  tools: PrepareTools,
  text: string,
  nodes: readonly DocumentNode[],
  edits: Edits,
): boolean {
  const said = inOnePiece(blocksOf(tools, text))
  // The new text is content of the edited node's type, or is parsed by itself.
  const readings = [
    ({ type }: DocumentNode, edit: string): NodeContent[] => [{ type, text: tools.redact(edit) }],
    (_: DocumentNode, edit: string): NodeContent[] => blocksOf(tools, edit),
  ]
  return readings.some((reading) => {
    const wanted = nodes.flatMap((node) => {
      const edit = edits.get(node.key)
      if (edit === undefined) return [node]
      return edit === null ? [] : reading(node, edit)
    })
    return inOnePiece(wanted) === said
  })
}

function blocksOf({ parseWhole, redact }: PrepareTools, text: string): NodeContent[] {
  return text.trim() === '' ? [] : flatten(parseWhole(text), redact)
}

/** Equal for nodes with the same content, however it is split. */
function inOnePiece(nodes: readonly NodeContent[]): string {
  const pieces: NodeContent[] = []
  for (const { type, text } of nodes) {
    const last = pieces.at(-1)
    if (last?.type === type) last.text += `\n${text}`
    else pieces.push({ type, text })
  }
  return JSON.stringify(pieces.map(({ type, text }) => [type, text.replace(/\s+/g, ' ').trim()]))
}
