/** The place of a document: only documents of the same collection have relative paths. */
export interface Place {
  document: number
  /** Kind and collection. */
  group: string
  /** Without the file name. */
  folders: readonly string[]
  shown: string
  isFile: boolean
}

export type Nearest = (from: Place) => number | undefined

/**
 * Which of several documents is nearest to another: the one that shares the most folders with it, then the one with the
 * fewest folders, then the first by path. A lookup costs the depth of the path, regardless of the number of candidates.
 */
export function nearestOf(candidates: readonly Place[]): Nearest {
  const first = new Map<string, number>()
  for (const { document, group, folders } of candidates.toSorted(inOrder)) {
    for (const prefix of ['', ...prefixesOf(group, folders)])
      if (!first.has(prefix)) first.set(prefix, document)
  }
  return ({ group, folders }) => {
    for (const prefix of prefixesOf(group, folders).reverse()) {
      const found = first.get(prefix)
      if (found !== undefined) return found
    }
    return first.get('')
  }
}

function prefixesOf(group: string, folders: readonly string[]): string[] {
  let prefix = `${group}\n`
  const prefixes = [prefix]
  for (const folder of folders) {
    prefix += `${folder}/`
    prefixes.push(prefix)
  }
  return prefixes
}

function inOrder(a: Place, b: Place): number {
  if (a.isFile !== b.isFile) return a.isFile ? -1 : 1
  if (a.folders.length !== b.folders.length) return a.folders.length - b.folders.length
  if (a.shown !== b.shown) return a.shown < b.shown ? -1 : 1
  if (a.group !== b.group) return a.group < b.group ? -1 : 1
  return a.document - b.document
}
