import { contentDigest } from '../../util/text/hash.ts'
import type { Address, Block } from '../model.ts'
import type { Attributes, DoorKind } from '../port/doors.ts'
import type { StoredDocument } from '../port/stored.ts'
import type { Preparation, Prepare } from '../prepare.ts'
import { type FlatBlock, flatten } from '../rows/flatten.ts'
import type { OperationDeps } from '../write/operation.ts'
import { type PutContext, type PutFacts, putDocument } from '../write/put.ts'

/** What every call of a door that writes needs. */
export interface DoorDeps extends OperationDeps {
  prepare: Prepare
}

export type DoorAddress = Extract<Address, { kind: DoorKind }>

export interface TextInput {
  /** Null: the document has none (a folder). */
  text: string | null
  /** Stands above the text's own nodes as their heading, so that the document is found and linked by this name. */
  heading?: string
  /** What the text parses to, where that is known already. */
  blocks?: Block[]
  /** Or what stands for it, because it is no text (bytes in base64): it is stored as it is, and none of it is searched. */
  instead?: Block[]
}

/** What a door was given, ready to be stored: without secrets, with the nodes that it is made of. */
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

/** `facts`: what `factsFor` has for it, if the caller has asked in this transaction. */
export async function putText(
  context: PutContext,
  { address, attributes, text, digest, flat }: TextPut,
  facts?: PutFacts,
): Promise<StoredDocument> {
  return (await putDocument(context, { address, text, digest, attributes, flat }, facts)).document
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
