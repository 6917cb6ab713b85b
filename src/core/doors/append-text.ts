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
 * The depths of the headings that are open at the end of a text, outermost first: `#` is 1. Nodes do not store them; an
 * append needs them to find the heading for the next block.
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

/** A piece to append, parsed separately before the transaction. */
export interface PreparedPiece {
  /** White space around it, and the text without it. */
  lead: string
  text: string
  trail: string
  digest: string
  flat: FlatBlock[]
  /** For each root: its heading depth; null: not a heading. */
  roots: (number | null)[]
  /** Headings open at its end. */
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
  /** Goes between the text and the piece. */
  separator: string
  piece: PreparedPiece
  attributes: Attributes
}

/**
 * Appends a piece to a document's text. Costs the piece only: its nodes go under the headings that are open at the end.
 */
export async function appendText(context: PutContext, input: AppendInput): Promise<void> {
  const { tx, snapshot, hash, newKeys, apply } = context
  const { document, attributes, separator } = input
  const { lead, text, trail, digest, flat } = input.piece
  const end = await documentEnd(tx, document.id)
  const { attachments, open } = attach(input.piece, levelsOf(document, end), end)
  const piece = {
    documentId: document.id,
    // Two equal pieces are two nodes: their place in time distinguishes them.
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

/** Where a block appended to a document goes. */
interface DocumentEnd {
  /** The last root; then, while the last node is a heading, its last child. Headings only, outermost first. */
  headings: { key: number; id: string }[]
  /** By depth, `headings.length + 1` of them: the position of the last node; null if there is none. */
  last: (string | null)[]
}

/** Reads the last of some siblings at each step: the cost does not depend on the length of the document. */
async function documentEnd(tx: ReadTx, documentId: number): Promise<DocumentEnd> {
  const last = async (of: Siblings): Promise<OutlineRow | undefined> =>
    (await tx.outline([of], { fields: 'outline', limit: 1, backwards: true }))[0]
  let node = await last({ parentKey: null, documentId })
  const end: DocumentEnd = { headings: [], last: [node?.position ?? null] }
  while (node?.type === 'heading') {
    const { key: parentKey, id } = node
    // Agents may have added notes there.
    const [any, own] = await Promise.all([last({ parentKey }), last({ parentKey, documentId })])
    end.headings.push({ key: parentKey, id })
    end.last.push(any?.position ?? null)
    node = own
  }
  return end
}

/** Measured by length: one expression for all three would rescan long white space inside the text. */
function withoutSpace(given: string): { lead: string; text: string; trail: string } {
  const text = given.trim()
  const start = given.length - given.trimStart().length
  return { lead: given.slice(0, start), text, trail: given.slice(start + text.length) }
}

/** One level for each open heading. An unknown one (a text stored by an earlier version) counts as one step each. */
function levelsOf({ attributes }: DoorHead, { headings }: DocumentEnd): number[] {
  const known = (attributes as Appendable).open_levels ?? []
  return headings.map((_, depth) => known[depth] ?? depth + 1)
}

/** The parent of each root of a piece, and the headings open after it. */
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
