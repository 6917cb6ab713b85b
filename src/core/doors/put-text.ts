import { contentDigest } from '../../util/hash.ts'
import { type FlatBlock, flatten } from '../flatten.ts'
import type { Address, Block } from '../model.ts'
import type { OperationDeps } from '../operation.ts'
import type { Attributes, DoorKind } from '../port/doors.ts'
import type { DocumentRow } from '../port/store.ts'
import { idPath, type PutContext, putNewDocuments } from '../put.ts'

/** What every operation of a door that writes needs. */
export interface DoorDeps extends OperationDeps {
  /**
   * At least one block for any text that is not blank, without secrets. `levels` is filled with how deep headings are. Throws
   * TooManyBlocks.
   */
  parse: ParseText
  /** As `parse`, for the whole text of a document, however it came to be: one of too many blocks is plain text. */
  parseWhole: ParseText
}

export type ParseText = (text: string, levels?: Map<Block, number>) => Block[]

export type DoorAddress = Extract<Address, { kind: DoorKind }>

export interface TextInput {
  address: DoorAddress
  /** Null: the document has none (a folder). */
  text: string | null
  /** Without secrets: see `redactAttributes`. */
  attributes: Attributes
  /** Stands above the text's own nodes as their heading, so that the document is found and linked by this name. */
  heading?: string
  /** What the text parses to, where that is known already. */
  blocks?: Block[]
  /** Or what stands for it, because it is no text (bytes in base64): it is stored as it is, and none of it is searched. */
  instead?: Block[]
  /** What is at the address, for who has looked in the same transaction; null: nothing. Default: it is looked up. */
  found?: DocumentRow | null
}

/** Stores what a door was given: the exact text, without its secrets, and the nodes that it is made of. */
export async function putText(deps: DoorDeps, context: PutContext, input: TextInput): Promise<void> {
  const { address, attributes } = input
  const { tx, snapshot, applier } = context
  const isText = input.text !== null && input.instead === undefined
  const text = isText ? deps.redact(input.text as string) : input.text
  const put = { address, text, digest: contentDigest(text ?? ''), attributes, at: deps.now() }
  const row = input.found === undefined ? await tx.findDocument(address) : input.found
  if (!row) return putNewDocuments(context, [{ ...put, flat: flatBlocks(deps, context, input) }])
  const snapshotId = await snapshot.id()
  await applier.send()
  // Nobody waits for either, and the first is stored while the text is taken apart. If one fails, so does the transaction.
  void tx.putDocuments([put], snapshotId)
  tx.send()
  const flat = flatBlocks(deps, context, input)
  void tx.putNodes({ documentId: row.id, idPath: idPath(address), flat }, snapshotId)
}

function flatBlocks(
  deps: DoorDeps,
  context: PutContext,
  { text, heading, blocks, instead }: TextInput,
): FlatBlock[] {
  const parsed = instead ?? blocks ?? (text === null || text.trim() === '' ? [] : deps.parseWhole(text))
  const roots: Block[] =
    heading === undefined ? parsed : [{ type: 'heading', format: 'plain', text: heading, children: parsed }]
  return flatten(roots, context.redact)
}

/** Every text of the attributes without secrets. */
export function redactAttributes<T>(redact: (text: string) => string, value: T): T {
  if (typeof value === 'string') return redact(value) as T
  if (Array.isArray(value)) return value.map((one) => redactAttributes(redact, one)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [redact(name), redactAttributes(redact, one)]),
  ) as T
}
