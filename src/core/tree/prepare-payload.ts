import { contentDigest } from '../../util/text/hash.ts'
import type { Block } from '../model.ts'
import type { Preparation } from '../prepare.ts'
import { type Redactions, takenOut } from '../redact.ts'
import { type FlatBlock, flatten } from '../rows/flatten.ts'

export interface PayloadInput {
  payload: string
  /** The first block is to take the place of a node. */
  replaces: boolean
}

/** What one write is given, without secrets, with the nodes that it becomes. */
export interface PreparedPayload {
  payload: string
  digest: string
  redactions: Redactions
  /** What takes the place of a node, without what was below it. */
  first: FlatBlock | null
  /** Everything else. */
  flat: FlatBlock[]
  /** How many of those have no parent, and how many of these were below `first`. */
  roots: number
  below: number
}

/** Throws TooManyBlocks. */
export const preparePayload: Preparation<PayloadInput, PreparedPayload> = {
  name: 'payload',
  lengthOf: ({ payload }) => payload.length,
  run({ parse, redact }, { payload: given, replaces }) {
    // First: it refuses what has too many blocks.
    const blocks = parse(given)
    // The text as it is given is only named and counted; what is stored is redacted when its marks have been read.
    const payload = redact(given)
    const about = { payload, digest: contentDigest(payload), redactions: takenOut(given, payload) }
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
