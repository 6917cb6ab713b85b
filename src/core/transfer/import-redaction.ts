import { decodeBase64 } from '../../util/text/base64.ts'
import { contentDigest } from '../../util/text/hash.ts'
import { redactAttributes } from '../doors/put-text.ts'
import type { KeyAttributes } from '../keys/model.ts'
import { redactBytes } from '../keys/redact-bytes.ts'
import { labelOf } from '../label.ts'
import { decodeLinks, encodeLinks, redactLink } from '../link.ts'
import type { Address, Link } from '../model.ts'
import type { Attributes } from '../port/doors.ts'
import { type Prepare, prepareRedacted } from '../prepare.ts'
import type { Redact } from '../redact.ts'
import type { TransferDocument, TransferNode, TransferSnapshot, TransferVersion } from './transfer-rows.ts'

type Exact = Pick<TransferDocument, 'digest' | 'text'> & { door: { attributes: Attributes | null } | null }

/** A key whose value is not text. */
function isBytes({ door }: Exact): boolean {
  const { value_type: type } = (door?.attributes ?? {}) as KeyAttributes
  return type === 'image' || type === 'blob'
}

/** Redacts everything that an import reads, and records the changes. */
export function createRedaction({ redact, prepare }: { redact: Redact; prepare: Prepare }) {
  let count = 0
  /** Digests of changed texts, with the new ones: a base has its text only as a digest. */
  const changed = new Map<string, string>()

  function counted(text: string, redacted: string): string {
    if (redacted !== text) count++
    return redacted
  }
  const clean = (text: string): string => counted(text, redact(text))
  /** For texts that may be long. */
  const cleanLong = async (text: string): Promise<string> =>
    counted(text, await prepare(prepareRedacted, text))
  async function cleanText(text: string): Promise<{ text: string; digest: string }> {
    const redacted = await cleanLong(text)
    const digest = contentDigest(redacted)
    if (redacted !== text) changed.set(contentDigest(text), digest)
    return { text: redacted, digest }
  }
  async function cleanBytes(base64: string): Promise<{ text: string; digest: string }> {
    const decoded = decodeBase64(base64)
    const text = 'bytes' in decoded ? await redactBytes(cleanLong, decoded.bytes) : await cleanLong(base64)
    return { text, digest: contentDigest(text) }
  }
  const cleanCheckpoint = <C extends { name: string; author: string }>(row: C): C => {
    // The signs around what was redacted cannot be in such a name.
    return { ...row, name: clean(row.name).replace(/[«»]/g, ''), author: clean(row.author) }
  }
  const cleanLink = <L extends Link>(link: L): L => redactLink(link, clean)

  return {
    /** How many texts, labels, links and messages were changed. */
    get count(): number {
      return count
    },
    snapshot: (row: TransferSnapshot): TransferSnapshot => ({
      ...row,
      checkpoints: row.checkpoints?.map(cleanCheckpoint),
      author: clean(row.author),
      operation: clean(row.operation),
      message: clean(row.message),
    }),
    /** The name of a document. Files on disk keep theirs, so that they are found again. */
    address(given: Address): Address {
      if (given.kind === 'key') return { ...given, key: clean(given.key) }
      if (given.kind !== 'file') return given
      const { node, thread, path } = given
      return { ...given, node: clean(node), thread: clean(thread), path: clean(path) }
    },
    async exact<D extends Exact>(given: D): Promise<D> {
      const { door } = given
      const row = door
        ? { ...given, door: { ...door, attributes: redactAttributes(clean, door.attributes) } }
        : given
      if (row.text === null) return row
      const { text, digest } = await (isBytes(row) ? cleanBytes(row.text) : cleanText(row.text))
      return { ...row, text, digest: row.digest && digest }
    },
    async version(row: TransferVersion): Promise<{ row: TransferVersion; digest: string | null }> {
      if (!row.state) return { row, digest: null }
      const before = count
      const { text, digest } = await cleanText(row.state.text)
      const links = row.state.links && encodeLinks(decodeLinks(row.state.links).map(cleanLink))
      const own = row.state.label && clean(row.state.label)
      // An explicit label may equal the one derived from the redacted text.
      const label = count > before && own === labelOf({ ...row.state, text }) ? null : own
      return { row: { ...row, state: { ...row.state, text, links, label } }, digest }
    },
    /** To be called after the node's versions. */
    node<N extends Pick<TransferNode, 'links' | 'overlay'>>(row: N): N {
      const links = row.links.map(cleanLink)
      const base = row.overlay?.base
      if (!row.overlay || !base) return { ...row, links }
      return {
        ...row,
        links,
        overlay: { ...row.overlay, base: { ...base, digest: changed.get(base.digest) ?? base.digest } },
      }
    },
  }
}

export type Redaction = ReturnType<typeof createRedaction>
