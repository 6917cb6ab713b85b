import { contentDigest } from '../../util/text/hash.ts'
import type { Address, Block } from '../model.ts'
import type { Attributes, DoorKind } from '../port/doors.ts'
import type { StoredDocument } from '../port/stored.ts'
import type { Preparation, Prepare } from '../prepare.ts'
import { type FlatBlock, flatten } from '../rows/flatten.ts'
import type { OperationDeps } from '../write/operation.ts'
import { type PutContext, type PutFacts, putDocument } from '../write/put.ts'

/** Dependencies of every write of a door. */
export interface DoorDeps extends OperationDeps {
  prepare: Prepare
}

export type DoorAddress = Extract<Address, { kind: DoorKind }>

export interface TextInput {
  /** Null: the document has no text (a folder). */
  text: string | null
  /** A heading above the text's nodes, by which the document is found and linked. */
  heading?: string
  /** The parsed text, if it is known already. */
  blocks?: Block[]
  /** Blocks to store for content that is not text (bytes in base64): stored as they are, and not searched. */
  instead?: Block[]
}

/** A text ready to be stored: without secrets, with its nodes. */
export interface PreparedText {
  text: string | null
  digest: string
  flat: FlatBlock[]
}

export const prepareText: Preparation<TextInput, PreparedText> = {
  name: 'text',
  lengthOf: ({ text }) => text?.length ?? 0,
  run({ redact, parseWhole }, { text: given, heading, blocks, instead }) {
    const isText = given !== null && instead === undefined
    const text = isText ? redact(given) : given
    const parsed = instead ?? blocks ?? (given === null || given.trim() === '' ? [] : parseWhole(given))
    const roots: Block[] =
      heading === undefined ? parsed : [{ type: 'heading', format: 'plain', text: heading, children: parsed }]
    return { text, digest: contentDigest(text ?? ''), flat: flatten(roots, redact) }
  },
}

export interface TextPut extends PreparedText {
  address: DoorAddress
  /** Without secrets: see `redactAttributes`. */
  attributes: Attributes
}

/** `facts`: from `factsFor`, if the caller has read them in this transaction. */
export async function putText(
  context: PutContext,
  { address, attributes, text, digest, flat }: TextPut,
  facts?: PutFacts,
): Promise<StoredDocument> {
  return (await putDocument(context, { address, text, digest, attributes, flat }, facts)).document
}

/** The attributes with every text redacted. */
export function redactAttributes<T>(redact: (text: string) => string, value: T): T {
  if (typeof value === 'string') return redact(value) as T
  if (Array.isArray(value)) return value.map((one) => redactAttributes(redact, one)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [redact(name), redactAttributes(redact, one)]),
  ) as T
}
