import { contentDigest } from '../../util/text/hash.ts'
import type { Block } from '../model.ts'
import type { Attributes, DoorHead } from '../port/doors.ts'
import type { OutlineRow, Siblings } from '../port/nodes.ts'
import type { ReadTx } from '../port/store.ts'
import type { Preparation } from '../prepare.ts'
import { appendPiece } from '../rows/documents.ts'
import { type FlatBlock, flatten } from '../rows/flatten.ts'
import { createPlan } from '../rows/plan.ts'
import { assignIds, createIdBook } from '../write/assign-ids.ts'
import type { Attachment } from '../write/document-to-plan.ts'
import { planNewBlocks } from '../write/plan-document.ts'
import { idPath, type PutContext } from '../write/put.ts'

/**
 * How deep the headings at the end of a text are, outermost first: `#` is 1. A node does not know; who appends must, to tell
 * which heading what comes next is under.
 */
export function openLevels(blocks: readonly Block[], levels: ReadonlyMap<Block, number>): number[] {
  const open: number[] = []
  for (let last = blocks.at(-1); last?.type === 'heading'; last = last.children.at(-1))
    open.push(levels.get(last) ?? open.length + 1)
  return open
}

/** Attributes of a document that can be appended to. */
export interface Appendable extends Attributes {
  open_levels?: number[]
}

/** A text that goes behind another one, taken apart by itself: before the transaction. */
export interface PreparedPiece {
  /** Space around it, and the text without. */
  lead: string
  text: string
  trail: string
  digest: string
  flat: FlatBlock[]
  /** Of each root: how deep a heading it is; null: none. */
  roots: (number | null)[]
  /** Headings that are open at its end. */
  open: number[]
}

/** Throws TooManyBlocks. */
export const preparePiece: Preparation<string, PreparedPiece> = {
  name: 'piece',
  lengthOf: (given) => given.length,
  run({ redact, parse }, given) {
    const parts = withoutSpace(redact(given))
    const levels = new Map<Block, number>()
    const blocks = parts.text === '' ? [] : parse(given, levels)
    return {
      ...parts,
      digest: contentDigest(parts.text),
      flat: flatten(blocks, redact),
      roots: blocks.map((block) => (block.type === 'heading' ? (levels.get(block) ?? 1) : null)),
      open: openLevels(blocks, levels),
    }
  },
}

export interface AppendInput {
  document: DoorHead
  /** Comes between the text and the piece. */
  separator: string
  piece: PreparedPiece
  attributes: Attributes
}

/** Puts a piece behind a document's text, at its own cost: its nodes go under the headings that are open at the end. */
export async function appendText(context: PutContext, input: AppendInput): Promise<void> {
  const { tx, snapshot, hash, newKeys, apply } = context
  const { document, attributes, separator } = input
  const { lead, text, trail, digest, flat } = input.piece
  const end = await documentEnd(tx, document.id)
  const { attachments, open } = attach(input.piece, levelsOf(document, end), end)
  const piece = {
    documentId: document.id,
    // Two pieces that say the same are two nodes: their place in time tells them apart.
    idPath: `${idPath(document.address)}\0${document.revision}`,
    flat,
    attachments,
  }
  await appendPiece(
    context,
    {
      documentId: document.id,
      piece: { lead: separator + lead, text, digest, trail },
      attributes: { ...attributes, open_levels: open },
    },
    await snapshot.row(),
  )
  const plan = createPlan()
  const [firstKey, [ids = []]] = await Promise.all([
    newKeys(flat.length),
    assignIds(createIdBook(tx), hash, [piece]),
  ])
  planNewBlocks(hash, plan, piece, { ids, firstKey })
  await apply(plan)
}

/** Where something that follows the text of a document would go. */
interface DocumentEnd {
  /** The last root; then, while the last node is a heading, its last child. Headings only, outermost first. */
  headings: { key: number; id: string }[]
  /** By depth, `headings.length + 1` of them: the position of the last node there; null where there is none. */
  last: (string | null)[]
}

/** Each step looks at the last of some siblings: its cost does not depend on how long a document is. */
async function documentEnd(tx: ReadTx, documentId: number): Promise<DocumentEnd> {
  const last = async (of: Siblings): Promise<OutlineRow | undefined> =>
    (await tx.outline([of], { fields: 'outline', limit: 1, backwards: true }))[0]
  let node = await last({ parentKey: null, documentId })
  const end: DocumentEnd = { headings: [], last: [node?.position ?? null] }
  while (node?.type === 'heading') {
    const { key: parentKey, id } = node
    // Others may have put notes of their own there.
    const [any, own] = await Promise.all([last({ parentKey }), last({ parentKey, documentId })])
    end.headings.push({ key: parentKey, id })
    end.last.push(any?.position ?? null)
    node = own
  }
  return end
}

/** What is around a text, by length: an expression for all three would look at long space within it again and again. */
function withoutSpace(given: string): { lead: string; text: string; trail: string } {
  const text = given.trim()
  const start = given.length - given.trimStart().length
  return { lead: given.slice(0, start), text, trail: given.slice(start + text.length) }
}

/** One level for each open heading. What is not known (a text of before this was kept) is taken to be one step each. */
function levelsOf({ attributes }: DoorHead, { headings }: DocumentEnd): number[] {
  const known = (attributes as Appendable).open_levels ?? []
  return headings.map((_, depth) => known[depth] ?? depth + 1)
}

/** Where each root of a piece hangs, and which headings are open behind it. */
function attach(
  { roots, open }: PreparedPiece,
  before: readonly number[],
  end: DocumentEnd,
): { attachments: Attachment[]; open: number[] } {
  let depth = before.length
  const attachments: Attachment[] = []
  for (const level of roots) {
    // Only a heading of a higher level closes a section.
    while (level !== null && depth > 0 && (before[depth - 1] as number) >= level) depth--
    const parent = end.headings[depth - 1]
    attachments.push({
      parentKey: parent?.key ?? null,
      parentId: parent?.id ?? null,
      bounds: { after: end.last[depth] ?? null, before: null },
    })
  }
  return { attachments, open: [...before.slice(0, depth), ...open] }
}
