import { fail, pass } from '../../core/doctor/check.ts'
import { decodeLinks } from '../../core/link.ts'
import { linksByKey, wantedBy } from '../../core/links/wanted.ts'
import type { Link } from '../../core/model.ts'
import { nameOf } from '../../core/write/node-writes.ts'
import { plural } from '../../util/terminal-units.ts'
import type { Check } from './check.ts'
import type { Context } from './context.ts'
import { documentNameQueries } from './document-names.ts'
import { linkResolver } from './link-facts.ts'
import { linkRows, type StoredLink, storedKey } from './link-rows.ts'
import { askedBy, PLACED, type PlacedLink } from './link-searches.ts'
import { linkWrites } from './link-writes.ts'
import { countedLinks } from './links.ts'
import { createTally } from './tally.ts'

/** What links are made of: names of headings, what texts ask for, and where each link leads. */
export function linksCheck(context: Context): Check {
  return {
    name: 'links',
    run() {
      const found = problems(context)
      return found.length === 0
        ? pass('links agree with the texts and lead where they should')
        : fail(found.join('; '))
    },
    heal: () => rebuildLinks(context),
  }
}

function problems(context: Context): string[] {
  const found: string[] = []
  const names = wrongNames(context).length
  if (names > 0) found.push(`${plural(names, 'heading')} cannot be found by their label`)
  const documents = wrongDocumentNames(context)
  if (documents > 0)
    found.push(`${plural(documents, 'document')} cannot be found by their file name or aliases`)
  const unversioned = wrongStates(context).length
  if (unversioned > 0)
    found.push(`${plural(unversioned, 'node has', 'nodes have')} other links than their history says`)
  const lost = wrongSources(context).length
  if (lost > 0) found.push(`the links of ${plural(lost, 'node')} are not what their texts ask for`)
  const misled = wrongTargets(context)
  if (misled > 0) found.push(`${plural(misled, 'link leads', 'links lead')} elsewhere than they should`)
  return found
}

/** Every link anew, from what the texts ask for and what was made by hand. */
export function rebuildLinks(context: Context): void {
  const { db } = context
  const name = db.prepare<[string | null, number]>('UPDATE nodes SET name = ? WHERE key = ?')
  for (const row of wrongNames(context)) name.run(row.name, row.key)
  const state = db.prepare<[string | null, number]>('UPDATE nodes SET links = ? WHERE key = ?')
  for (const row of wrongStates(context)) state.run(row.links, row.key)
  const links = linkWrites(context, createTally(context))
  for (const { key, asked } of wrongSources(context)) links.reset(key, asked)
  db.exec(
    `UPDATE links SET target_key = NULL, asleep = (SELECT removed_in IS NOT NULL FROM nodes WHERE key = source_key)`,
  )
  links.settleAll()
  recount(context)
}

function recount({ db, spaceId }: Context): void {
  db.prepare(`DELETE FROM counters WHERE space_id = ? AND name LIKE 'relations%'`).run(spaceId)
  db.prepare(
    `INSERT INTO counters (space_id, name, value) SELECT ?, name, value FROM (${countedLinks()})`,
  ).run(spaceId)
}

function wrongNames({ db }: Context): { key: number; name: string | null }[] {
  const nodes = db.prepare<
    [],
    { key: number; type: string; label: string; name: string | null; live: number }
  >(
    `SELECT key, type, label, name, removed_in IS NULL AS live FROM nodes WHERE type = 'heading' OR name IS NOT NULL`,
  )
  const wrong: { key: number; name: string | null }[] = []
  for (const node of nodes.iterate()) {
    const name = node.live ? nameOf(node.type, node.label) : null
    if (name !== node.name) wrong.push({ key: node.key, name })
  }
  return wrong
}

/** Nodes whose links are not those of their newest version. */
function wrongStates({ db }: Context): { key: number; links: string | null }[] {
  return db
    .prepare<[], { key: number; links: string | null }>(
      `SELECT n.key, v.links FROM nodes n JOIN versions v ON v.node_key = n.key AND v.snapshot_id =
         (SELECT max(e.snapshot_id) FROM versions e WHERE e.node_key = n.key)
       WHERE n.links IS NOT v.links`,
    )
    .all()
}

/** Nodes whose rows in `links` are not what their text asks for, or sleep when they should not. */
function wrongSources(context: Context): { key: number; asked: string | null }[] {
  const { db } = context
  const { ofSource } = linkRows(context, createTally(context))
  const nodes = db.prepare<[], { key: number; links: string | null; live: number }>(
    `SELECT key, links, removed_in IS NULL AS live FROM nodes
     WHERE links IS NOT NULL OR key IN (SELECT source_key FROM links)`,
  )
  return nodes
    .all()
    .filter(({ key, links, live }) => !isAsAsked(ofSource(key), links, live === 1))
    .map(({ key, links, live }) => ({ key, asked: live === 1 ? links : null }))
}

function isAsAsked(rows: readonly StoredLink[], encoded: string | null, isLive: boolean): boolean {
  const asked = linksByKey(decodeLinks(isLive ? encoded : null))
  const parsed = rows.filter((row) => row.origin === 'parsed')
  return (
    parsed.length === asked.size &&
    parsed.every((row) => isAsIn(row, asked.get(storedKey(row)))) &&
    rows.every((row) => row.asleep === (isLive ? 0 : 1))
  )
}

function isAsIn(row: StoredLink, asked: { link: Link; place: number } | undefined): boolean {
  if (asked === undefined) return false
  const { name, file, section } = wantedBy(asked.link)
  const isFound = name === row.name && file === row.file && section === row.section
  return isFound && asked.link.weight === row.weight && asked.place === row.place
}

function wrongDocumentNames(context: Context): number {
  const { expectedNames, storedNames } = documentNameQueries(context)
  const documents = context.db.prepare<[], { id: number }>('SELECT id FROM documents').all()
  return documents.filter(({ id }) => {
    const [expected, stored] = [expectedNames(id), storedNames(id)]
    return (
      expected.size !== stored.size || [...expected].some(([name, isAlias]) => stored.get(name) !== isAlias)
    )
  }).length
}

function wrongTargets(context: Context): number {
  const { targetOf } = linkResolver(context)()
  const links = context.db.prepare<[], PlacedLink>(`${PLACED} WHERE l.asleep = 0`)
  return links.all().filter((row) => targetOf(askedBy(row)) !== row.target_key).length
}
