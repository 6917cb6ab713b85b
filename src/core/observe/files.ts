import type { DocumentShapes } from '../port/documents.ts'
import type { Store } from '../port/store.ts'

type Size = DocumentShapes['size']

/** `remindb://files` and `inspect --files --json`: the keys and their order are locked. */
export interface FilesEnvelope {
  roots: { root: string; files: { path: string; nodes: number; tokens: number }[] }[]
}

/**
 * The compiled files, by compile root; notes and files without a root come last, under ''. `showRoot` makes a stored
 * root absolute.
 */
export async function files(
  store: Pick<Store, 'read'>,
  showRoot: (stored: string) => string,
): Promise<FilesEnvelope> {
  const rows = await store.read(async (tx) => [
    ...(await tx.documents({ kind: 'source', states: EVERY_STATE }, 'size')),
    ...mergeNotes(await tx.documents({ kind: 'note', states: EVERY_STATE }, 'size')),
  ])
  const held = rows.filter(({ nodes }) => nodes > 0)
  const byRoot = Map.groupBy(held, ({ address }) => showRoot(address.kind === 'source' ? address.root : ''))
  const roots = [...byRoot.entries()].map(([root, found]) => ({
    root,
    files: found.map(({ name: path, nodes, tokens }) => ({ path, nodes, tokens })),
  }))
  return { roots: roots.sort((a, b) => byRootName(a.root, b.root)) }
}

/** A rollback restores nodes, but not the file that they came from. */
const EVERY_STATE = ['live', 'removed', 'erased'] as const

/** Notes are shown as one file. */
function mergeNotes([first, ...others]: Size[]): Size[] {
  if (!first) return []
  const sum = (by: (note: Size) => number): number => others.reduce((all, note) => all + by(note), by(first))
  return [{ ...first, nodes: sum(({ nodes }) => nodes), tokens: sum(({ tokens }) => tokens) }]
}

function byRootName(a: string, b: string): number {
  if (a === '' || b === '') return a === b ? 0 : a === '' ? 1 : -1
  return a < b ? -1 : a > b ? 1 : 0
}
