import { contentDigest } from '../util/hash.ts'
import type { Attachment } from './document-to-plan.ts'
import { doorDocumentOf, type RetellDeps, retell } from './doors/retell.ts'
import { checkTextLength, type TextLimit } from './doors/text-limit.ts'
import { MemoryError, needs } from './errors.ts'
import { type FlatBlock, flatten } from './flatten.ts'
import { payloadId } from './ids.ts'
import type { Block } from './model.ts'
import { applyByHand, checkUnchanged, getNode, idOf, isSource, mutate, textOf } from './operation.ts'
import { overlayEdit } from './overlay.ts'
import { blockState, contentChange, createPlan, isSameContent, liveState } from './plan.ts'
import type { DocumentNodeRow, SnapshotRow } from './port/store.ts'
import { type DocumentInput, type PutContext, putDocument, putNewDocuments } from './put.ts'
import { type Redactions, redactText } from './redact.ts'
import { estimateTokens } from './tokens.ts'

/** The namespace notes had from the beginning; their ids are published. */
const NOTE_NAMESPACE = 'mcp:write'

export interface WriteInput {
  payload: string
  /** Replace this node by the first block; further blocks follow it. */
  anchor?: string
  /** Or: put the blocks under this node, after its children. */
  parent?: string
  /** The newest snapshot that was seen: when the anchor or parent changed later, nothing is written. */
  expectedVersion?: number
}

export interface WriteDeps extends RetellDeps {
  /** Of what one write is given. */
  noteLimit: TextLimit
}

export interface WriteResult {
  id: string
  tokens: number
  /** Secrets taken out of the payload, by kind. */
  redactions: Redactions
  /** Null when the content is unchanged. */
  snapshot: SnapshotRow | null
}

/** Stores what an agent wants to remember: a note of its own, a note under a node, or a new text for a node. */
export async function write(deps: WriteDeps, input: WriteInput): Promise<WriteResult> {
  needs(typeof input?.payload === 'string', 'write needs { payload }: the text to remember')
  const { anchor, parent, expectedVersion } = input
  if (input.payload.trim() === '')
    throw new MemoryError('INVALID_INPUT', 'the payload is empty; give the text to remember')
  if (anchor !== undefined && parent !== undefined) {
    throw new MemoryError('INVALID_INPUT', 'replace a node or write under one (parent), not both')
  }
  needs(
    expectedVersion === undefined || (anchor ?? parent) !== undefined,
    'expected_version is about a node that is replaced or written under; name that node, or leave expected_version out',
  )
  checkTextLength(input.payload, deps.noteLimit)
  // First: it refuses what has too many blocks.
  const blocks = deps.parse(input.payload)
  // The text as it is given is only named and counted; what is stored is redacted when its marks have been read.
  const { text: payload, redactions } = redactText(deps.redact, input.payload)
  const id = anchor ?? payloadId(deps.hash, NOTE_NAMESPACE, parent ? `${parent}\0${payload}` : payload)
  const { snapshot } = await mutate(deps, { operation: 'write', message: `write:${id}` }, async (context) => {
    const known = anchor ?? parent
    if (known !== undefined) await checkUnchanged(context.tx, known, expectedVersion)
    if (anchor !== undefined) {
      const row = await getNode(context.tx, anchor)
      const document = await doorDocumentOf(context.tx, row)
      if (document) return retell(deps, context, document, new Map([[row.key, input.payload]]))
      return replaceNode(deps, context, row, { blocks, payload })
    }
    const under =
      parent === undefined ? undefined : await lastUnder(context, await getNode(context.tx, parent))
    await putNote(
      context,
      id,
      blocks,
      blocks.map(() => under),
      payload,
    )
  })
  return { id, tokens: estimateTokens(payload), redactions, snapshot }
}

async function replaceNode(
  deps: RetellDeps,
  context: PutContext,
  row: DocumentNodeRow,
  { blocks, payload }: { blocks: Block[]; payload: string },
): Promise<void> {
  const [first, ...rest] = blocks as [Block, ...Block[]]
  const [flat] = flatten([{ ...first, children: [] }], context.redact) as [FlatBlock]
  await editNode(deps, context, row, { flat, operation: 'write' })
  const extra = [...first.children, ...rest]
  if (extra.length === 0) return
  const under = await lastUnder(context, row)
  const after = await rightAfter(context, row)
  const noteId = payloadId(context.hash, NOTE_NAMESPACE, `${row.id}\0${payload}`)
  const attachments = [...first.children.map(() => under), ...rest.map(() => after)]
  await putNote(context, noteId, extra, attachments, payload)
}

/** Gives one node a new content. On a node of a file this is an overlay; a door's document says it too. */
export async function editNode(
  deps: RetellDeps,
  context: PutContext,
  row: DocumentNodeRow,
  edit: {
    flat: Pick<FlatBlock, 'type' | 'format' | 'text' | 'label' | 'ownLabel' | 'digest' | 'links' | 'words'>
    operation: string
  },
): Promise<void> {
  const { tx, hash } = context
  const { flat } = edit
  const document = await doorDocumentOf(tx, row)
  if (document) return retell(deps, context, document, new Map([[row.key, flat.text]]))
  const current = liveState(row, await textOf(tx, row))
  const next = blockState(flat, row.parentKey, row.position)
  if (isSameContent(row, next) && row.label === flat.label && row.links === next.links) return
  const plan = createPlan()
  const identity = { ...row, parentId: await idOf(tx, row.parentKey) }
  plan.changes.push(contentChange(hash, 'mod', identity, next, flat))
  if (await isSource(context, row.documentId))
    overlayEdit(plan, row, { operation: edit.operation, current, next })
  await applyByHand(context, plan, [row.documentId])
}

async function putNote(
  context: PutContext,
  id: string,
  blocks: Block[],
  attachments: (Attachment | undefined)[],
  payload: string,
): Promise<void> {
  const address = { kind: 'note', id } as const
  const digest = contentDigest(payload)
  const flat = flatten(blocks, context.redact)
  const input: DocumentInput = { address, digest, text: null, flat, firstRootId: id, attachments }
  const row = await context.tx.findDocument(address)
  if (!row) await putNewDocuments(context, [input])
  else if (row.state !== 'live' || row.digest !== digest) await putDocument(context, row, input)
}

/** After the last child of a node. */
async function lastUnder({ tx }: PutContext, row: DocumentNodeRow): Promise<Attachment> {
  const last = (await tx.children([row.key])).at(-1)
  return { parentKey: row.key, parentId: row.id, bounds: { after: last?.position ?? null, before: null } }
}

async function rightAfter({ tx }: PutContext, row: DocumentNodeRow): Promise<Attachment> {
  const before = (await tx.nextPosition(row.parentKey, row.documentId, row.position)) ?? null
  return {
    parentKey: row.parentKey,
    parentId: await idOf(tx, row.parentKey),
    bounds: { after: row.position, before },
  }
}
