import { type LinkParts, linkParts, lookupForm, RELATIVE, slug } from '../../core/link-parts.ts'
import { type Context, listParameter } from './context.ts'
import { type Nearest, nearestOf, type Place } from './nearest.ts'
import { SHOWN_NAME } from './rows.ts'
import { statement } from './statements.ts'

/** What a link asks for, and from where. An id says it all. */
export interface Asked {
  label: string
  source: string
  wanted_id: string
  /** That the link is in. */
  document_id: number
}

/** How many nodes are above it. UNION, not UNION ALL: it must end even in a damaged database. */
const DEPTH = `(WITH RECURSIVE above (key) AS (SELECT n.parent_key UNION SELECT p.parent_key FROM above a JOIN nodes p ON
  p.key = a.key) SELECT count(key) FROM above)`

interface SqlPlace {
  id: number
  kind: string
  collection: string
  name: string
  shown: string
}

const PLACE = `d.id, d.kind, d.collection, d.name, ${SHOWN_NAME} AS shown`

/** Where links lead: a function of what is stored, so that it does not matter in which order things came. */
export function targetQueries({ db }: Pick<Context, 'db'>) {
  const byId = statement<[string], { key: number }>(
    db,
    'SELECT key FROM nodes WHERE id = ? AND removed_in IS NULL',
  )
  const place = statement<[number], SqlPlace>(db, `SELECT ${PLACE} FROM documents d WHERE d.id = ?`)
  const named = statement<[string], SqlPlace & { is_alias: number }>(
    db,
    `SELECT ${PLACE}, x.is_alias FROM document_names x CROSS JOIN documents d ON d.id = x.document_id WHERE x.name = ?`,
  )
  const headings = statement<[string], { key: number; document_id: number }>(
    db,
    'SELECT key, document_id FROM nodes WHERE name = ?',
  )
  const highest = statement<[string], { key: number }>(
    db,
    `SELECT n.key FROM json_each(?) j CROSS JOIN nodes n ON n.key = j.value ORDER BY ${DEPTH}, n.id LIMIT 1`,
  )
  const namesIn = statement<[number], { name: string }>(
    db,
    'SELECT DISTINCT name FROM nodes WHERE document_id = ? AND name IS NOT NULL ORDER BY name',
  )
  const withMarks = statement<[number], { key: number; body: string }>(
    db,
    `SELECT n.key, t.body FROM nodes n JOIN texts t ON t.id = n.text_id
     WHERE n.document_id = ? AND n.removed_in IS NULL AND instr(t.body, '^') > 0 ORDER BY n.id`,
  )
  const firstRoot = statement<[number], { key: number }>(
    db,
    `SELECT key FROM nodes WHERE document_id = ? AND parent_key IS NULL AND position > '' AND removed_in IS NULL
       AND type <> 'preamble' ORDER BY position, key LIMIT 1`,
  )
  const firstPreamble = statement<[number], { key: number }>(
    db,
    `SELECT key FROM nodes WHERE document_id = ? AND parent_key IS NULL AND position > '' AND removed_in IS NULL
     ORDER BY position, key LIMIT 1`,
  )

  /** For as long as nothing changes: what was looked up once is kept. */
  function resolver() {
    const placeOf = memo((document: number) => toPlace(place().get(document) as SqlPlace))
    const rootOf = memo(
      (document: number) => (firstRoot().get(document) ?? firstPreamble().get(document))?.key ?? null,
    )
    const documentsNamed = memo((name: string) => {
      const found = Map.groupBy(named().all(name), (row) => row.is_alias === 1)
      const places = (isAlias: boolean): Place[] => (found.get(isAlias) ?? []).map(toPlace)
      return { files: places(false), aliases: nearestOf(places(true)) }
    })
    const headingsNamed = memo((name: string) => {
      const keys = Map.groupBy(headings().all(name), (row) => row.document_id)
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
      for (const { name } of namesIn().all(document))
        if (!sections.has(slug(name))) sections.set(slug(name), name)
      return sections
    })

    const highestHeading = memo((asked: string): number | null => {
      const [name, document] = JSON.parse(asked) as [string, number]
      const keys = (headingsNamed(name).keys.get(document) ?? []).map(({ key }) => key)
      return (keys.length > 1 ? highest().get(listParameter(keys))?.key : keys[0]) ?? null
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
    /** Lines that may end with a block's name, by their last word: one look at a document for all its blocks. */
    const blockLines = memo((document: number) => {
      const lines = withMarks()
        .all(document)
        .flatMap(({ key, body }) => body.split('\n').map((line) => ({ key, line: lookupForm(line) })))
      return Map.groupBy(
        lines.filter(({ line }) => line.includes('^')),
        ({ line }) => lastWord(line),
      )
    })
    function blockIn(mark: string, document: number): number | null {
      const lines = blockLines(document).get(lastWord(mark)) ?? []
      return lines.find(({ line }) => endsWithBlock(line, mark))?.key ?? null
    }
    /** A section that is not there costs the section, not the link. */
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
        return (
          partOf(fileOf(parts, from) ?? documentsNamed(name).aliases(from), '') ?? heading(name, '', from)
        )
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
    /** `[[Heading#Section]]`: in the document that has the heading, which is the target where there is no such section. */
    function sectionBelow(
      { file, folders, section }: LinkParts,
      document: number | undefined,
    ): number | null {
      if (document === undefined || folders.length > 0) return null
      const heading = headingIn(file, document)
      if (heading === null || section.startsWith('^')) return heading
      return sectionIn(section, document) ?? heading
    }

    return {
      rootOf,
      /** Null when there is none. */
      targetOf({ label, source, wanted_id, document_id }: Asked): number | null {
        if (wanted_id !== '') return byId().get(wanted_id)?.key ?? null
        const parts = linkParts({ label, source })
        const from = placeOf(document_id)
        if (source === RELATIVE) return byPath(parts, from)
        return source === '' ? byLabel(parts, from) : heading(parts.name, source, from)
      },
    }
  }

  return { resolver }
}

function toPlace({ id, kind, collection, name, shown }: SqlPlace): Place {
  const hasPath = kind === 'source' || kind === 'file'
  const folders = hasPath ? name.split('/').slice(0, -1).filter(Boolean) : []
  return { document: id, group: `${kind} ${collection}`, folders, shown, isFile: kind === 'source' }
}

/** A file is named by its path or the end of it, from a folder on. Literally: no character has another meaning. */
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

/** Undefined when it leads out of the top folder. */
function resolvePath(base: readonly string[], path: readonly string[]): string[] | undefined {
  const resolved = path[0] === '' ? [] : [...base]
  for (const part of path) {
    if (part === '..') {
      if (resolved.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') resolved.push(part)
  }
  return resolved
}

/** `^block` at the end of a line is the name of what it ends. */
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
