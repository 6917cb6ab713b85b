import type { Preparation, PrepareTools } from '../prepare.ts'
import { flatten } from '../rows/flatten.ts'
import { splices, type ToldNode } from './splice.ts'

export interface EditInput {
  text: string
  /** What the text says, in its order. */
  nodes: readonly ToldNode[]
  edits: Edits
}

/** By key of a node: its new words, or null for none. */
export type Edits = ReadonlyMap<number, string | null>

/** The first text that says what the nodes are to say, and everything else as before. */
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

/** What a node says, whatever its place. */
type Said = Pick<ToldNode, 'type' | 'text'>

/**
 * Whether a text says what its nodes are to say after an edit: the new words where they belong, and all else as it was. Where a
 * long text is cut, and whether two that follow each other are one, may differ.
 */
function matchesEdits(tools: PrepareTools, text: string, nodes: readonly ToldNode[], edits: Edits): boolean {
  const said = inOnePiece(blocksOf(tools, text))
  // The new words are those of the node that was, or stand for themselves.
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

/** Equal for nodes that say the same, however they are cut. */
function inOnePiece(nodes: readonly Said[]): string {
  const pieces: Said[] = []
  for (const { type, text } of nodes) {
    const last = pieces.at(-1)
    if (last?.type === type) last.text += `\n${text}`
    else pieces.push({ type, text })
  }
  return JSON.stringify(pieces.map(({ type, text }) => [type, text.replace(/\s+/g, ' ').trim()]))
}
