import { shownName } from '../address.ts'
import type { Address } from '../model.ts'
import type { LinkAnswer, LinkQuestion, LinkReads, NamedHeading } from '../port/links.ts'
import type { Place } from './nearest.ts'
import type { LinkFacts } from './resolve.ts'

/** Thrown if a fact is not known yet. A single instance, since most links throw it once. */
export const UNKNOWN = new Error('a fact about links was not fetched')

/**
 * The facts about link targets that were read so far. A missing fact is recorded, and ends the attempt with `UNKNOWN`:
 * then all missing facts are read in one call.
 */
export function createKnownFacts() {
  const missing = {
    nodes: new Set<string>(),
    documentsNamed: new Set<string>(),
    headingsNamed: new Set<string>(),
    places: new Set<number>(),
    headingsIn: new Set<number>(),
    marksIn: new Set<number>(),
    namesOf: new Set<number>(),
  }
  const nodes = new Map<string, number | null>()
  const named = new Map<string, LinkAnswer['documentsNamed']>()
  const headings = new Map<string, NamedHeading[]>()
  const places = new Map<number, Place>()
  const headingsIn = new Map<number, string[]>()
  const marks = new Map<number, LinkAnswer['marksIn']>()
  const roots = new Map<number, number | null>()

  const placeOf = (document: number): Place => lookUp(places, document, missing.places)
  const facts: LinkFacts = {
    nodeById: (id) => lookUp(nodes, id, missing.nodes),
    place: placeOf,
    documentsNamed: (name) =>
      lookUp(named, name, missing.documentsNamed).map(({ documentId, isAlias }) => ({
        place: placeOf(documentId),
        isAlias,
      })),
    headingsNamed: (name) => lookUp(headings, name, missing.headingsNamed),
    headingNames: (document) => lookUp(headingsIn, document, missing.headingsIn),
    markedTexts: (document) => lookUp(marks, document, missing.marksIn),
    firstRoot: (document) => lookUp(roots, document, missing.namesOf),
  }
  return {
    facts,
    /** Reads the missing facts, and the unknown ones in `also`. */
    async fetch(tx: Pick<LinkReads, 'linkFacts'>, also: LinkQuestion = {}): Promise<void> {
      const asked = {
        nodes: unknown(nodes, missing.nodes, also.nodes),
        documentsNamed: unknown(named, missing.documentsNamed, also.documentsNamed),
        headingsNamed: unknown(headings, missing.headingsNamed, also.headingsNamed),
        places: unknown(places, missing.places, also.places),
        headingsIn: unknown(headingsIn, missing.headingsIn, also.headingsIn),
        marksIn: unknown(marks, missing.marksIn, also.marksIn),
        namesOf: unknown(roots, missing.namesOf, also.namesOf),
      }
      for (const set of Object.values(missing)) set.clear()
      if (Object.values(asked).every((list) => list.length === 0)) return
      this.add(asked, await tx.linkFacts(asked))
    },
    add(asked: LinkQuestion, answer: LinkAnswer): void {
      // In a damaged memory a document may be missing.
      const found = [...answer.documentsNamed, ...answer.headingsNamed].map(({ documentId }) => documentId)
      for (const document of [...(asked.places ?? []), ...found]) places.set(document, nowhere(document))
      for (const { documentId, address } of answer.places)
        places.set(documentId, toPlace(documentId, address))
      for (const id of asked.nodes ?? []) nodes.set(id, null)
      for (const { id, key } of answer.nodes) nodes.set(id, key)
      for (const document of asked.namesOf ?? []) roots.set(document, null)
      for (const { documentId, root } of answer.namesOf) roots.set(documentId, root)
      group(named, asked.documentsNamed, answer.documentsNamed, ({ name }) => name)
      group(headings, asked.headingsNamed, answer.headingsNamed, ({ name }) => name)
      group(marks, asked.marksIn, answer.marksIn, ({ documentId }) => documentId)
      const names = new Map<number, LinkAnswer['headingsIn']>()
      group(names, asked.headingsIn, answer.headingsIn, ({ documentId }) => documentId)
      for (const [document, rows] of names)
        headingsIn.set(
          document,
          rows.map(({ name }) => name),
        )
    },
  }
}

export type KnownFacts = ReturnType<typeof createKnownFacts>

function lookUp<K, V>(known: ReadonlyMap<K, V>, key: K, missing: Set<K>): V {
  const fact = known.get(key)
  if (fact !== undefined) return fact
  missing.add(key)
  throw UNKNOWN
}

function unknown<K>(known: ReadonlyMap<K, unknown>, missed: ReadonlySet<K>, also: readonly K[] = []): K[] {
  return [...new Set([...missed, ...also])].filter((key) => !known.has(key))
}

/** A requested key without a row has an empty list. */
function group<K, R>(
  known: Map<K, R[]>,
  asked: readonly K[] = [],
  rows: readonly R[],
  keyOf: (row: R) => K,
): void {
  const found = Map.groupBy(rows, keyOf)
  for (const key of asked) known.set(key, found.get(key) ?? [])
}

function nowhere(document: number): Place {
  return { document, group: '', folders: [], shown: '', isFile: false }
}

function toPlace(document: number, address: Address): Place {
  const hasPath = address.kind === 'source' || address.kind === 'file'
  const folders = hasPath ? address.path.split('/').slice(0, -1).filter(Boolean) : []
  const isFile = address.kind === 'source'
  return { document, group: groupOf(address), folders, shown: shownName(address), isFile }
}

/** Only files of the same group have relative paths. */
function groupOf(address: Address): string {
  if (address.kind === 'source') return `source ${address.root}`
  if (address.kind !== 'file') return address.kind
  return `file ${JSON.stringify([address.node, address.scope, address.thread])}`
}
