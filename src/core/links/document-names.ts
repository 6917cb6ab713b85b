import { linkName } from '../link.ts'
import { fileNames } from '../link-parts.ts'
import type { DocumentNaming } from '../port/links.ts'
import type { DocumentName, WriteSet } from '../port/write-set.ts'

/** By name, whether it is an alias. */
export type DocumentNames = ReadonlyMap<string, boolean>

/**
 * The names by which links find a document: its file's name, and the aliases in its front matter. None without nodes:
 * there is no target.
 */
export function namesOf({
  path,
  root,
  front,
}: Pick<DocumentNaming, 'path' | 'root' | 'front'>): DocumentNames {
  const names = new Map<string, boolean>()
  if (path === null || root === null) return names
  for (const alias of front.flatMap(frontAliases)) names.set(linkName(alias), true)
  for (const name of fileNames(path)) names.set(name, false)
  return names
}

/** The names that a document keeps, and those that it gains or loses. */
function compareNames(before: DocumentNames, after: DocumentNames): { kept: string[]; changed: string[] } {
  const all = [...new Set([...before.keys(), ...after.keys()])]
  const isKept = (name: string): boolean => before.get(name) === after.get(name)
  return { kept: all.filter(isKept), changed: all.filter((name) => !isKept(name)) }
}

/** The new names of a document. */
export interface Rename {
  documentId: number
  after: DocumentNames
  kept: string[]
  changed: string[]
}

export function renameOf({ documentId, names, ...naming }: DocumentNaming): Rename {
  const before = new Map(names.map(({ name, isAlias }) => [name, isAlias]))
  const after = namesOf(naming)
  return { documentId, after, ...compareNames(before, after) }
}

export function namesToStore(renames: readonly Rename[]): Pick<WriteSet, 'documentNames'> {
  const put: DocumentName[] = []
  const remove: Omit<DocumentName, 'isAlias'>[] = []
  for (const { documentId, after, changed } of renames)
    for (const name of changed) {
      const isAlias = after.get(name)
      if (isAlias === undefined) remove.push({ documentId, name })
      else put.push({ documentId, name, isAlias })
    }
  return put.length + remove.length === 0 ? {} : { documentNames: { put, remove } }
}

const KEY = /^["']?alias(?:es)?["']?(?:\[\d+\])?[ \t]*[:=][ \t]*/im
const ARRAY = /^\[([^\]]*)\]?/
/** Items below the key. */
const ITEMS = /^(?:[^\n\S]*\n[^\n\S]*-[^\n\S]+([^\n]*))/

/** The aliases in the front matter of a document, under `aliases`; as written. */
function frontAliases(text: string): string[] {
  const key = KEY.exec(text)
  if (!key) return []
  const rest = text.slice(key.index + key[0].length)
  return [...new Set(valuesOf(rest).map(unquoted))].filter((alias) => alias !== '')
}

function valuesOf(rest: string): string[] {
  const array = ARRAY.exec(rest)
  if (array) return (array[1] ?? '').split(',')
  const items: string[] = []
  for (let left = rest, item = ITEMS.exec(left); item; item = ITEMS.exec(left)) {
    items.push(item[1] ?? '')
    left = left.slice(item[0].length)
  }
  return items.length > 0 ? items : (rest.split('\n', 1)[0] ?? '').split(',')
}

function unquoted(value: string): string {
  return value
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim()
}
