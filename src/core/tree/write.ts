import { checkTextLength, type TextLimit } from '../doors/text-limit.ts'
import { MemoryError, needs } from '../errors.ts'
import { payloadId } from '../ids.ts'
import { foreseeLinks } from '../links/foresee.ts'
import { isOfDoor } from '../port/rows.ts'
import type { NodeRow, SnapshotRow } from '../port/store.ts'
import type { StoredNodeFacts } from '../port/stored.ts'
import type { Redactions } from '../redact.ts'
import type { FlatBlock } from '../rows/flatten.ts'
import { blockState, contentChange, createPlan, isSameContent, liveState } from '../rows/plan.ts'
import { estimateTokens } from '../tokens.ts'
import type { Attachment } from '../write/document-to-plan.ts'
import {
  applyByHand,
  checkNodeId,
  checkUnchanged,
  checkVersion,
  mutate,
  type NodeToEdit,
  nextPosition,
  nodeToEdit,
  prepared,
  snapshotOperation,
} from '../write/operation.ts'
import { overlayEdit } from '../write/overlay.ts'
import { type DocumentInput, factsFor, type PutContext, type PutFacts, putDocument } from '../write/put.ts'
import { type PreparedPayload, preparePayload } from './prepare-payload.ts'
import { prepareWriteBack, putWriteBack, type WriteBack, type WriteBackDeps } from './write-back.ts'

/** The namespace of notes; their ids are published. */
const NOTE_NAMESPACE = 'mcp:write'

export interface WriteInput {
  payload: string
  /** Replace this node with the first block; further blocks follow it. */
  anchor?: string
  /** Or: put the blocks under this node, after its children. */
  parent?: string
  /** The newest snapshot that the caller has seen: if the anchor or parent changed later, nothing is written. */
  expectedVersion?: number
}

export interface WriteDeps extends WriteBackDeps {
  /** The maximum size of a payload. */
  noteLimit: TextLimit
}

export interface WriteResult {
  id: string
  tokens: number
  /** Secrets removed from the payload, by kind. */
  redactions: Redactions
  /** Null when the content is unchanged. */
  snapshot: SnapshotRow | null
}

/** Stores a new note, a note under a node, or a new text for a node. */
export async function write(deps: WriteDeps, input: WriteInput): Promise<WriteResult> {
  needs(typeof input?.payload === 'string', 'write needs { payload }: the text to remember')
  const { anchor, parent, expectedVersion } = input
  const known = anchor ?? parent
  if (input.payload.trim() === '')
    throw new MemoryError('INVALID_INPUT', 'the payload is empty; give the text to remember')
  if (anchor !== undefined && parent !== undefined) {
    throw new MemoryError('INVALID_INPUT', 'replace a node or write under one (parent), not both')
  }
  needs(
    expectedVersion === undefined || known !== undefined,
    'expected_version needs a node to replace or to write under; name one, or omit expected_version',
  )
  if (known !== undefined) checkNodeId(known)
  checkVersion(expectedVersion)
  checkTextLength(input.payload, deps.noteLimit)
  const replaces = anchor !== undefined
  const given = await deps.prepare(preparePayload, { payload: input.payload, replaces })
  const { payload, redactions } = given
  const id = anchor ?? payloadId(deps.hash, NOTE_NAMESPACE, parent ? `${parent}\0${payload}` : payload)
  const about = { operation: 'write', message: `write:${id}` }
  const { snapshot } =
    anchor === undefined
      ? await mutate(deps, writeNote, {
          ...about,
          input: { note: noteOf(id, given), parent, expectedVersion },
        })
      : await replaceText(deps, { anchor, said: input.payload, given, about, expectedVersion })
  return { id, tokens: estimateTokens(payload), redactions, snapshot }
}

/** A note with its nodes, ready to be stored. */
interface PreparedNote {
  id: string
  digest: string
  flat: FlatBlock[]
  /** How many of them have no parent. */
  roots: number
}

function noteOf(id: string, { digest, flat, roots }: PreparedPayload): PreparedNote {
  return { id, digest, flat, roots }
}

interface WriteNoteInput {
  note: PreparedNote
  parent: string | undefined
  expectedVersion: number | undefined
}

export const writeNote = snapshotOperation(
  'write-note',
  async (context, { note, parent, expectedVersion }: WriteNoteInput) => {
    if (parent === undefined) return putNote(context, note, [], await factsForNote(context, note, []))
    const [{ node }, facts] = await Promise.all([
      nodeToEdit(context, parent, expectedVersion),
      factsForNote(context, note, new Array(note.roots).fill(parent)),
    ])
    const under = await lastUnder(context, node)
    await putNote(context, note, new Array(note.roots).fill(under), facts)
  },
)

interface Replacing {
  anchor: string
  /** The payload as given. */
  said: string
  given: PreparedPayload
  about: { operation: string; message: string }
  expectedVersion: number | undefined
}

/** The first block replaces a node's text; its descendants and the blocks after it become a note there. */
async function replaceText(
  deps: WriteDeps,
  { anchor, said, given, about, expectedVersion }: Replacing,
): Promise<{ snapshot: SnapshotRow | null }> {
  const { payload, first, roots, below } = given
  const noteId = payloadId(deps.hash, NOTE_NAMESPACE, `${anchor}\0${payload}`)
  const input = {
    ...{ anchor, expectedVersion, below },
    flat: first as FlatBlock,
    note: roots === 0 ? null : noteOf(noteId, given),
  }
  let isFirst = true
  return prepared(deps, async () => {
    // Most nodes belong to files and notes: only a node of another door needs preparation, once its door is known.
    const writeBack = isFirst
      ? undefined
      : await prepareWriteBack(deps, anchor, async (tx, { key }) => {
          await checkUnchanged(tx, anchor, expectedVersion)
          return new Map([[key, said]])
        })
    isFirst = false
    return mutate(deps, replaceNode, { ...about, input: { ...input, writeBack } })
  })
}

interface ReplaceNodeInput {
  anchor: string
  expectedVersion: number | undefined
  flat: FlatBlock
  note: PreparedNote | null
  /** How many roots of the note go below the node; the others follow it. */
  below: number
  writeBack: WriteBack | undefined
}

export const replaceNode = snapshotOperation('replace-node', async (context, input: ReplaceNodeInput) => {
  const { anchor, expectedVersion, flat, note, below, writeBack } = input
  const [found] = await Promise.all([
    nodeToEdit(context, anchor, expectedVersion),
    foreseeLinks(context.tx, [flat], []),
  ])
  const { node, document } = found
  if (isOfDoor(document)) return putWriteBack(context, { id: anchor, document, writeBack })
  await editNode(context, found, { flat, operation: 'write' })
  if (!note) return
  const places = <T>(under: T, after: T): T[] =>
    Array.from({ length: note.roots }, (_, at) => (at < below ? under : after))
  const [under, after, facts] = await Promise.all([
    lastUnder(context, node),
    rightAfter(context, node),
    factsForNote(context, note, places(node.id, node.parentId)),
  ])
  await putNote(context, note, places(under, after), facts)
})

/** Gives a node of a file or a note new content. On a node of a file this is an overlay. */
export async function editNode(
  context: PutContext,
  { node, document }: NodeToEdit,
  edit: {
    flat: Pick<FlatBlock, 'type' | 'format' | 'text' | 'label' | 'ownLabel' | 'digest' | 'links' | 'words'>
    operation: string
  },
): Promise<void> {
  const { flat, operation } = edit
  const current = liveState(node, node.text ?? '')
  const next = blockState(flat, node.parentKey, node.position)
  if (isSameContent(node, next) && node.label === flat.label && node.links === next.links) return
  const plan = createPlan()
  plan.changes.push(contentChange(context.hash, 'mod', node, next, flat))
  if (document.address.kind === 'source') overlayEdit(plan, node, { operation, current, next })
  await applyByHand(context, plan, [document], [node])
}

/** `parents`: by root, the id of its future parent. */
function factsForNote(
  context: PutContext,
  note: PreparedNote,
  parents: readonly (string | null)[],
): Promise<PutFacts> {
  const nowhere = { parentKey: null, bounds: { after: null, before: null } }
  const attachments = parents.map((parentId) => ({ ...nowhere, parentId }))
  return factsFor(context, [noteInput(note, attachments)])
}

async function putNote(
  context: PutContext,
  note: PreparedNote,
  attachments: (Attachment | undefined)[],
  facts: PutFacts,
): Promise<void> {
  const [stored] = facts.contents.documents
  if (stored?.state === 'live' && stored.digest === note.digest) return
  await putDocument(context, noteInput(note, attachments), facts)
}

function noteInput(
  { id, digest, flat }: PreparedNote,
  attachments: (Attachment | undefined)[],
): DocumentInput {
  return { address: { kind: 'note', id }, digest, text: null, flat, firstRootId: id, attachments }
}

/** After the last child of a node. */
async function lastUnder({ tx }: PutContext, { key, id }: Pick<NodeRow, 'key' | 'id'>): Promise<Attachment> {
  const last = (await tx.nodes({ parents: [key] }, 'full')).at(-1)
  return { parentKey: key, parentId: id, bounds: { after: last?.position ?? null, before: null } }
}

async function rightAfter({ tx }: PutContext, node: StoredNodeFacts): Promise<Attachment> {
  const before = await nextPosition(tx, node)
  const { parentKey, parentId, position } = node
  return { parentKey, parentId, bounds: { after: position, before } }
}
