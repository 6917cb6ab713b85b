import type { NodeRow } from '../port/rows.ts'
import type { NodePut, WriteSet } from '../port/write-set.ts'

/** The fields of a node that matter to links, and its place. */
export type LinkNode = Pick<
  NodeRow,
  'key' | 'id' | 'documentId' | 'parentKey' | 'position' | 'type' | 'name' | 'digest' | 'links' | 'removedIn'
>

/** A change of a node in a transaction; before is null if it is new. */
export interface LinkChange {
  before: LinkNode | null
  after: LinkNode
  /** Whether its text, before or after, may name a block: it has a `^`. */
  hasMarks: boolean
}

/** The changes of a transaction that affect where links lead. */
export interface LinkChanges {
  /** By key. */
  nodes: ReadonlyMap<number, LinkChange>
  /** The ids of other new nodes, which nothing else leads to, by key: most nodes of a first compile. */
  plain: ReadonlyMap<number, string>
  /** Documents with another path. */
  moved: ReadonlySet<number>
  /** Nodes whose whole history is deleted, since their links contain text too. */
  erased: ReadonlySet<number>
  /** New documents, and documents that have no path: these need fewer lookups. */
  fresh: ReadonlySet<number>
  pathless: ReadonlySet<number>
}

/** Collects the changes of a transaction: link targets are decided once, at its end. */
export function collectLinkChanges() {
  let nodes = new Map<number, LinkChange>()
  let plain = new Map<number, string>()
  let moved = new Set<number>()
  let erased = new Set<number>()
  const fresh = new Set<number>()
  const pathless = new Set<number>()

  function noteNode(put: NodePut, texts: ReadonlyMap<string, string | null>): void {
    const { before, after } = put
    const known = nodes.get(after.key)
    const wasPlain = plain.delete(after.key)
    const change: LinkChange = {
      before: known ? known.before : before && !wasPlain ? linkNode(before) : null,
      after: linkNode(after),
      hasMarks: known?.hasMarks || mayHaveMarks(put, texts),
    }
    if (isPlain(change)) {
      nodes.delete(after.key)
      plain.set(after.key, after.id)
    } else nodes.set(after.key, change)
  }
  return {
    /** The changes since the last call. */
    takeChanges(): LinkChanges {
      const changes = { nodes, plain, moved, erased, fresh, pathless }
      nodes = new Map()
      plain = new Map()
      moved = new Set()
      erased = new Set()
      return changes
    },
    noteSet(set: WriteSet): void {
      const texts = new Map((set.texts ?? []).map(({ digest, text }) => [digest, text]))
      for (const put of set.nodes ?? []) noteNode(put, texts)
      for (const { before, after } of set.documents ?? []) {
        if (!before) fresh.add(after.id)
        else if (JSON.stringify(before.address) !== JSON.stringify(after.address)) moved.add(after.id)
        if (!('path' in after.address)) pathless.add(after.id)
      }
      for (const key of set.erase?.nodes ?? []) erased.add(key)
    },
  }
}

/** Whether links can only lead to a new node by its id: it has no name, no links, and its document no other names with it. */
function isPlain({ before, after, hasMarks }: LinkChange): boolean {
  const { parentKey, name, links, removedIn } = after
  const isBelow = parentKey !== null && removedIn === null
  return before === null && isBelow && name === null && links === null && !hasMarks && !mayHaveAliases(after)
}

/** Front matter has aliases, and a long list of them is a node below it. */
export function mayHaveAliases({ type }: Pick<LinkNode, 'type'>): boolean {
  return type === 'preamble' || type === 'list'
}

/** Without its text: a transaction may change many nodes. */
function linkNode(node: LinkNode): LinkNode {
  const { key, id, documentId, parentKey, position, type, name, digest, links, removedIn } = node
  return { key, id, documentId, parentKey, position, type, name, digest, links, removedIn }
}

/** An unknown text may have some. */
function mayHaveMarks(
  { before, after, textBefore }: NodePut,
  texts: ReadonlyMap<string, string | null>,
): boolean {
  if (before?.digest === after.digest) return false
  const isMarked = (text: string | null | undefined): boolean => text?.includes('^') ?? true
  const had = before !== null && before.digest !== '' && isMarked(textBefore)
  return had || (after.digest !== '' && isMarked(texts.get(after.digest)))
}
