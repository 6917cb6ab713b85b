import { contentDigest } from '../../util/hash.ts'
import { later } from '../../util/later.ts'
import type { Attachment } from '../document-to-plan.ts'
import { flatten } from '../flatten.ts'
import type { Block } from '../model.ts'
import { createPlan } from '../plan.ts'
import { nameNewDocuments, planNewDocuments } from '../plan-document.ts'
import type { Attributes, DocumentEnd, DoorHead } from '../port/doors.ts'
import { idPath, type PutContext } from '../put.ts'
import type { DoorDeps } from './put-text.ts'

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

export interface AppendInput {
  document: DoorHead
  /** Comes between the text and the piece. */
  separator: string
  text: string
  attributes: Attributes
}

/**
 * Puts a text behind a document's text, at the cost of the piece alone: it is parsed by itself, and its nodes go where the
 * text ends, under the headings that are open there.
 */
export async function appendText(deps: DoorDeps, context: PutContext, input: AppendInput): Promise<void> {
  const { tx, snapshot, hash, applier } = context
  const { document, attributes } = input
  const given = deps.redact(input.text)
  const { lead, text, trail } = withoutSpace(given)
  const levels = new Map<Block, number>()
  const blocks = text === '' ? [] : deps.parse(input.text, levels)
  const end = await tx.documentEnd(document.id)
  const { attachments, open } = attach(blocks, levels, levelsOf(document, end), end)
  const piece = {
    documentId: document.id,
    // Two pieces that say the same are two nodes: their place in time tells them apart.
    idPath: `${idPath(document.address)}\0${document.revision}`,
    flat: flatten(blocks, context.redact),
    attachments,
  }
  const snapshotId = snapshot.id()
  const naming = later(nameNewDocuments(tx, hash, [piece]))
  // Not waited for: if it fails, so does the transaction.
  void tx.appendText({
    documentId: document.id,
    piece: { lead: input.separator + lead, text, digest: contentDigest(text), trail },
    attributes: { ...attributes, open_levels: open },
    at: deps.now(),
    snapshotId: await snapshotId,
  })
  const plan = createPlan()
  planNewDocuments(hash, plan, [piece], await naming)
  await applier.apply(plan)
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
  blocks: readonly Block[],
  levels: ReadonlyMap<Block, number>,
  before: readonly number[],
  end: DocumentEnd,
): { attachments: Attachment[]; open: number[] } {
  let depth = before.length
  const attachments: Attachment[] = []
  for (const block of blocks) {
    if (block.type === 'heading') {
      // Only a heading of a higher level closes a section.
      while (depth > 0 && (before[depth - 1] as number) >= (levels.get(block) ?? 1)) depth--
    }
    const parent = end.headings[depth - 1]
    const after = end.last[depth] ?? null
    attachments.push({
      parentKey: parent?.key ?? null,
      parentId: parent?.id ?? null,
      bounds: { after, before: null },
    })
  }
  const last = blocks.at(-1)
  const inPiece = last?.type === 'heading' ? openLevels(blocks, levels) : []
  return { attachments, open: [...before.slice(0, depth), ...inPiece] }
}
