import { flatten } from '../flatten.ts'
import type { DoorDeps } from './put-text.ts'
import type { ToldNode } from './splice.ts'

/** What a node says, whatever its place. */
type Said = Pick<ToldNode, 'type' | 'text'>

/**
 * Whether a text says what its nodes are to say after an edit: the new words where they belong, and all else as it was. Where a
 * long text is cut, and whether two that follow each other are one, may differ.
 */
export function saysSo(
  deps: Pick<DoorDeps, 'parse' | 'redact'>,
  text: string,
  nodes: readonly ToldNode[],
  edits: ReadonlyMap<number, string | null>,
): boolean {
  const said = inOnePiece(blocksOf(deps, text))
  // The new words are those of the node that was, or stand for themselves.
  const readings = [
    ({ type }: ToldNode, edit: string): Said[] => [{ type, text: deps.redact(edit) }],
    (_: ToldNode, edit: string): Said[] => blocksOf(deps, edit),
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

function blocksOf({ parse, redact }: Pick<DoorDeps, 'parse' | 'redact'>, text: string): Said[] {
  return text.trim() === '' ? [] : flatten(parse(text), redact)
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
