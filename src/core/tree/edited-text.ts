import type { Preparation, PrepareTools } from '../prepare.ts'
import { flatten } from '../rows/flatten.ts'
import { splices, type ToldNode } from './splice.ts'

export interface EditInput {
  text: string
  /** The nodes of the text, in its order. */
  nodes: readonly ToldNode[]
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
type Said = Pick<ToldNode, 'type' | 'text'>

/**
 * Whether a text parses to the nodes with their edits, and nothing else changed. Where a long text is split, and
 * whether two adjacent nodes are one, may differ.
 */
function matchesEdits(tools: PrepareTools, text: string, nodes: readonly ToldNode[], edits: Edits): boolean {
  const said = inOnePiece(blocksOf(tools, text))
  // The new text is content of the edited node's type, or is parsed by itself.
  const readings = [
    ({ type }: ToldNode, edit: string): Said[] => [{ type, text: tools.redact(edit) }],
    (_: ToldNode, edit: string): Said[] => blocksOf(tools, edit),
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

function blocksOf({ parseWhole, redact }: PrepareTools, text: string): Said[] {
  return text.trim() === '' ? [] : flatten(parseWhole(text), redact)
}

/** Equal for nodes with the same content, however it is split. */
function inOnePiece(nodes: readonly Said[]): string {
  const pieces: Said[] = []
  for (const { type, text } of nodes) {
    const last = pieces.at(-1)
    if (last?.type === type) last.text += `\n${text}`
    else pieces.push({ type, text })
  }
  return JSON.stringify(pieces.map(({ type, text }) => [type, text.replace(/\s+/g, ' ').trim()]))
}
