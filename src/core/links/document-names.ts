import { frontAliases } from '../front-aliases.ts'
import { linkName } from '../link.ts'
import { fileNames } from '../link-parts.ts'

/** By name whether it is an alias. */
export type DocumentNames = ReadonlyMap<string, boolean>

/** What of a document decides its names. */
export interface NamedDocument {
  /** Undefined where its door has no paths. */
  path: string | undefined
  /** Its first root, and the lists right below it: a long list of aliases is a node below the front matter. */
  root: { type: string; text: string; lists: readonly string[] } | undefined
}

/** What links find a document by: its file's name, and the aliases of its front matter. None without nodes: there is nothing to lead to. */
export function namesOf({ path, root }: NamedDocument): DocumentNames {
  const names = new Map<string, boolean>()
  if (path === undefined || !root) return names
  const texts = root.type === 'preamble' ? [root.text, ...root.lists] : []
  for (const alias of texts.flatMap(frontAliases)) names.set(linkName(alias), true)
  for (const name of fileNames(path)) names.set(name, false)
  return names
}

/** The names that a document keeps, and those that it gains or loses. */
export function compareNames(
  before: DocumentNames,
  after: DocumentNames,
): { kept: string[]; changed: string[] } {
  const all = [...new Set([...before.keys(), ...after.keys()])]
  const isKept = (name: string): boolean => before.get(name) === after.get(name)
  return { kept: all.filter(isKept), changed: all.filter((name) => !isKept(name)) }
}
