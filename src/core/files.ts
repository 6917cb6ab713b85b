import type { Store } from './port/store.ts'

/** `remindb://files` and `inspect --files --json`: the keys and their order are locked. */
export interface FilesEnvelope {
  roots: { root: string; files: { path: string; nodes: number; tokens: number }[] }[]
}

/** What was compiled, by compile root; what belongs to none comes last, under ''. `showRoot` makes a stored root absolute. */
export async function files(
  store: Pick<Store, 'read'>,
  showRoot: (stored: string) => string,
): Promise<FilesEnvelope> {
  const rows = await store.read((tx) => tx.listFiles())
  const byRoot = Map.groupBy(rows, (row) => showRoot(row.root))
  const roots = [...byRoot.entries()].map(([root, found]) => ({
    root,
    files: found.map(({ path, nodes, tokens }) => ({ path, nodes, tokens })),
  }))
  return { roots: roots.sort((a, b) => byRootName(a.root, b.root)) }
}

function byRootName(a: string, b: string): number {
  if (a === '' || b === '') return a === b ? 0 : a === '' ? 1 : -1
  return a < b ? -1 : a > b ? 1 : 0
}
