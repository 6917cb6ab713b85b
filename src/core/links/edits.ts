import type { LinkReads, StoredLink } from '../port/links.ts'
import type { WriteSet } from '../port/write-set.ts'
import { checkNext } from '../rows/next-numbers.ts'
import { countLinks } from './counts.ts'
import type { TargetFinder } from './find-targets.ts'
import type { NewLink, NodeLinks } from './text-links.ts'

interface Edit {
  before: StoredLink | null
  after: StoredLink | null
}

/** Links as stored, and as they will be. */
export function createLinkEdits(nextLinkId: number) {
  checkNext(nextLinkId)
  const edits = new Map<number, Edit>()
  /** Nodes of which every link is known. */
  const wholeNodes = new Set<number>()
  /** Links whose targets must be found. */
  const seeking = new Set<number>()
  let nextId = nextLinkId

  function know(row: StoredLink): void {
    if (!edits.has(row.id)) edits.set(row.id, { before: row, after: row })
  }
  function put(row: StoredLink): void {
    const edit = edits.get(row.id)
    if (edit) edit.after = row
    else edits.set(row.id, { before: null, after: row })
  }
  function add(row: NewLink): StoredLink {
    const stored = { ...row, id: nextId++ }
    put(stored)
    seeking.add(stored.id)
    return stored
  }
  function changed(): Edit[] {
    return [...edits.values()].filter(({ before, after }) => before !== after)
  }

  return {
    put,
    add,
    get: (id: number): StoredLink | null => edits.get(id)?.after ?? null,
    /** Marks a link whose target may have changed. */
    seek(row: StoredLink): void {
      know(row)
      seeking.add(row.id)
    },
    /** Takes every stored link of a node, and replaces them. */
    replace(key: number, stored: readonly StoredLink[], next: NodeLinks): void {
      wholeNodes.add(key)
      for (const row of stored) know(row)
      const kept = new Map(next.rows.map((row) => [row.id, row]))
      for (const { id, asleep } of stored) {
        const row = kept.get(id)
        const edit = edits.get(id)
        if (edit) edit.after = row ?? null
        if (row && asleep && !row.asleep) seeking.add(id)
      }
      for (const row of next.added) add(row)
    },
    async findTargets(find: TargetFinder): Promise<void> {
      const open = [...seeking].flatMap((id) => edits.get(id)?.after ?? []).filter(({ asleep }) => !asleep)
      for (const [row, targetKey] of await find(open))
        if (row.targetKey !== targetKey) put({ ...row, targetKey })
    },
    /** The changed rows and the counters: all links to the same target count as one. */
    async toWriteSet(tx: Pick<LinkReads, 'links'>): Promise<WriteSet> {
      const changes = changed()
      if (changes.length === 0) return {}
      const sources = new Set(changes.map(({ before, after }) => (after ?? before)?.sourceKey as number))
      const partly = [...sources].filter((key) => !wholeNodes.has(key))
      if (partly.length > 0) for (const row of await tx.links({ of: partly })) know(row)
      return { links: rowsOf(changes), counters: countersOf(edits.values(), sources) }
    },
  }
}

export type LinkEdits = ReturnType<typeof createLinkEdits>

function rowsOf(changes: readonly Edit[]): NonNullable<WriteSet['links']> {
  return {
    put: changes.flatMap(({ after }) => after ?? []),
    remove: changes.flatMap(({ before, after }) => (before && !after ? [before.id] : [])),
  }
}

function countersOf(edits: Iterable<Edit>, sources: ReadonlySet<number>): Map<string, number> {
  const before = new Map<number, StoredLink[]>()
  const after = new Map<number, StoredLink[]>()
  for (const edit of edits) {
    addTo(before, edit.before, sources)
    addTo(after, edit.after, sources)
  }
  const counters = new Map<string, number>()
  for (const links of before.values()) countLinks(counters, links, -1)
  for (const links of after.values()) countLinks(counters, links, 1)
  return counters
}

function addTo(lists: Map<number, StoredLink[]>, row: StoredLink | null, sources: ReadonlySet<number>): void {
  if (!row || !sources.has(row.sourceKey)) return
  const list = lists.get(row.sourceKey)
  if (list) list.push(row)
  else lists.set(row.sourceKey, [row])
}
