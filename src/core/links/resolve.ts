import { type LinkParts, linkParts, lookupForm, RELATIVE, slug } from '../link-parts.ts'
import type { NamedHeading } from '../port/links.ts'
import { type Nearest, nearestOf, type Place } from './nearest.ts'

/** The target of a link, and its document. An id overrides everything else. */
export interface Asked {
  label: string
  source: string
  /** The id of its target, '' if it is given by label. */
  targetId: string
  /** The document that contains the link. */
  documentId: number
}

/** The stored facts that decide where links lead, as far as known: see `createKnownFacts`. */
export interface LinkFacts {
  /** The key of a live node. */
  nodeById(id: string): number | null
  place(documentId: number): Place
  /** Documents with this name or alias. */
  documentsNamed(name: string): { place: Place; isAlias: boolean }[]
  headingsNamed(name: string): NamedHeading[]
  /** Names of a document's headings, each once, sorted. */
  headingNames(documentId: number): string[]
  /** Live nodes of a document whose text contains a `^`, by id. */
  markedTexts(documentId: number): { key: number; text: string }[]
  /** The first node of a document: front matter only if there is nothing else. */
  firstRoot(documentId: number): number | null
}

/**
 * The targets of links: a function of the stored data, independent of the order in which it arrived. Valid as long as
 * nothing changes: lookups are cached.
 */
export function createResolver(facts: LinkFacts) {
  const placeOf = memo(facts.place)
  const rootOf = memo(facts.firstRoot)
  const documentsNamed = memo((name: string) => {
    const found = Map.groupBy(facts.documentsNamed(name), ({ isAlias }) => isAlias)
    const places = (isAlias: boolean): Place[] => (found.get(isAlias) ?? []).map(({ place }) => place)
    return { files: places(false), aliases: nearestOf(places(true)) }
  })
  const headingsNamed = memo((name: string) => {
    const keys = Map.groupBy(facts.headingsNamed(name), ({ documentId }) => documentId)
    return { keys, places: [...keys.keys()].map(placeOf) }
  })
  const nearestHeading = memo((asked: string): Nearest => {
    const [name, source] = JSON.parse(asked) as [string, string]
    return nearestOf(headingsNamed(name).places.filter(({ shown }) => isOfSource(shown, source)))
  })
  const nearestFile = memo((asked: string): Nearest => {
    const [file, folders] = JSON.parse(asked) as [string, string[]]
    return nearestOf(documentsNamed(file).files.filter((at) => isBelow(at.folders, folders)))
  })
  const sectionsOf = memo((document: number) => {
    const sections = new Map<string, string>()
    for (const name of facts.headingNames(document))
      if (!sections.has(slug(name))) sections.set(slug(name), name)
    return sections
  })

  const highestHeading = memo((asked: string): number | null => {
    const [name, document] = JSON.parse(asked) as [string, number]
    return headingsNamed(name).keys.get(document)?.reduce(higher).key ?? null
  })
  function headingIn(name: string, document: number): number | null {
    return highestHeading(JSON.stringify([name, document]))
  }
  /** In the document itself, otherwise in the nearest. */
  function heading(name: string, source: string, from: Place): number | null {
    const isOwn = headingsNamed(name).keys.has(from.document) && isOfSource(from.shown, source)
    const document = isOwn ? from.document : nearestHeading(JSON.stringify([name, source]))(from)
    return document === undefined ? null : headingIn(name, document)
  }
  function sectionIn(section: string, document: number): number | null {
    if (section.startsWith('^')) return blockIn(section, document)
    const name = sectionsOf(document).get(section)
    return name === undefined ? null : headingIn(name, document)
  }
  /** Lines that may end with a block name, by their last word: one scan of a document for all its blocks. */
  const blockLines = memo((document: number) => {
    const lines = facts
      .markedTexts(document)
      .flatMap(({ key, text }) => text.split('\n').map((line) => ({ key, line: lookupForm(line) })))
    return Map.groupBy(
      lines.filter(({ line }) => line.includes('^')),
      ({ line }) => lastWord(line),
    )
  })
  function blockIn(mark: string, document: number): number | null {
    const lines = blockLines(document).get(lastWord(mark)) ?? []
    return lines.find(({ line }) => endsWithBlock(line, mark))?.key ?? null
  }
  /** If the section does not exist, the link leads to the document. */
  function partOf(document: number | undefined, section: string): number | null {
    if (document === undefined) return null
    return (section === '' ? null : sectionIn(section, document)) ?? rootOf(document)
  }
  function fileOf({ file, folders }: LinkParts, from: Place): number | undefined {
    if (file === '') return undefined
    const found = nearestFile(JSON.stringify([file, folders]))(from)
    return found ?? (folders.length === 0 ? documentsNamed(file).aliases(from) : undefined)
  }
  function byPath({ file, folders, section }: LinkParts, from: Place): number | null {
    const path = resolvePath(from.folders.map(lookupForm), [...folders, file])
    const found = documentsNamed(file).files.filter(
      (at) => at.group === from.group && samePath(at.folders, path?.slice(0, -1)),
    )
    return partOf(nearestOf(found)(from), section)
  }
  function byLabel(parts: LinkParts, from: Place): number | null {
    const { name, file, section } = parts
    if (headingsNamed(name).keys.has(from.document)) return headingIn(name, from.document)
    if (section === '') {
      return partOf(fileOf(parts, from) ?? documentsNamed(name).aliases(from), '') ?? heading(name, '', from)
    }
    const whole = heading(name, '', from)
    if (whole !== null) return whole
    if (file === '') return sectionIn(section, from.document)
    return (
      sectionBelow(parts, from.document) ??
      partOf(fileOf(parts, from), section) ??
      sectionBelow(parts, nearestHeading(JSON.stringify([file, '']))(from))
    )
  }
  /** `[[Heading#Section]]`: in the document with the heading, which is the target if there is no such section. */
  function sectionBelow({ file, folders, section }: LinkParts, document: number | undefined): number | null {
    if (document === undefined || folders.length > 0) return null
    const heading = headingIn(file, document)
    if (heading === null || section.startsWith('^')) return heading
    return sectionIn(section, document) ?? heading
  }

  return {
    rootOf,
    /** Null if there is none. */
    targetOf({ label, source, targetId, documentId }: Asked): number | null {
      if (targetId !== '') return facts.nodeById(targetId)
      const parts = linkParts({ label, source })
      const from = placeOf(documentId)
      if (source === RELATIVE) return byPath(parts, from)
      return source === '' ? byLabel(parts, from) : heading(parts.name, source, from)
    },
  }
}

/** Of two headings in one document, the one with fewer ancestors, then the first by id. */
function higher(a: NamedHeading, b: NamedHeading): NamedHeading {
  if (a.depth !== b.depth) return a.depth < b.depth ? a : b
  return a.id < b.id ? a : b
}

/** A file is named by its path or the end of it, starting at a folder. Literally: no wildcards. */
function isOfSource(shown: string, source: string): boolean {
  return source === '' || shown === source || shown.endsWith(`/${source}`)
}

function isBelow(folders: readonly string[], wanted: readonly string[]): boolean {
  const named = wanted.filter((folder) => folder !== '' && folder !== '.' && folder !== '..')
  return named.length === 0 || samePath(folders.slice(-named.length), named)
}

function samePath(folders: readonly string[], wanted: readonly string[] | undefined): boolean {
  return wanted?.length === folders.length && folders.every((folder, at) => lookupForm(folder) === wanted[at])
}

/** Undefined if it leads above the top folder. */
function resolvePath(base: readonly string[], path: readonly string[]): string[] | undefined {
  const resolved = path[0] === '' ? [] : [...base]
  for (const part of path) {
    if (part === '..') {
      if (resolved.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') resolved.push(part)
  }
  return resolved
}

/** `^block` at the end of a line names the node that it ends. */
function endsWithBlock(line: string, mark: string): boolean {
  return line === mark || line.endsWith(` ${mark}`)
}

function lastWord(text: string): string {
  return text.slice(text.lastIndexOf(' ') + 1)
}

function memo<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key))
    return known.get(key) as V
  }
}
