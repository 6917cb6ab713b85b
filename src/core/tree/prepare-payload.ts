import { contentDigest } from '../../util/text/hash.ts'
import type { Block } from '../model.ts'
import type { Preparation } from '../prepare.ts'
import { countNewRedactions, type Redactions } from '../redact.ts'
import { type FlatBlock, flatten } from '../rows/flatten.ts'

export interface PayloadInput {
  payload: string
  /** The first block replaces a node. */
  replaces: boolean
}

/** The payload of one write, without secrets, with its nodes. */
export interface PreparedPayload {
  payload: string
  digest: string
  redactions: Redactions
  /** The block that replaces a node, without its descendants. */
  first: FlatBlock | null
  /** All other blocks. */
  flat: FlatBlock[]
  /** How many of `flat` have no parent, and how many of these were below `first`. */
  roots: number
  below: number
}

/** Throws TooManyBlocks. */
export const preparePayload: Preparation<PayloadInput, PreparedPayload> = {
  name: 'payload',
  lengthOf: ({ payload }) => payload.length,
  run({ parse, redact }, { payload: given, replaces }) {
    // First: it rejects a text with too many blocks.
    const blocks = parse(given)
    // The text as given is only hashed and counted; the stored blocks are redacted after parsing.
    const payload = redact(given)
    const about = { payload, digest: contentDigest(payload), redactions: countNewRedactions(given, payload) }
    if (!replaces)
      return { ...about, first: null, flat: flatten(blocks, redact), roots: blocks.length, below: 0 }
    const [{ children, ...first }, ...rest] = blocks as [Block, ...Block[]]
    const others = [...children, ...rest]
    return {
      ...about,
      first: flatten([{ ...first, children: [] }], redact)[0] as FlatBlock,
      flat: flatten(others, redact),
      roots: others.length,
      below: children.length,
    }
  },
}
