import type { Expression, Filters, Unit } from '../../../core/find/query/query-model.ts'
import type { Match } from '../../../core/port/search.ts'
import { listParameter } from '../database/context.ts'
import { SHOWN_NAME } from '../database/rows.ts'

export interface FilterSql {
  /** Each of a node `n` and its document `d`. */
  conditions: string[]
  parameters: Record<string, string | number>
}

const WITH_WORD = 'SELECT rowid FROM node_index WHERE node_index MATCH'

/** Filters as conditions. A node has a tag if its text or the front matter of its document has it, or if the document was stored with it. */
export function filterSql(filters: Filters, prefix = ''): FilterSql {
  const { types, kinds, paths, tags = [], documentTags = [], since, pinned, without } = filters
  const { any = [], none = [] } = filters
  const conditions: string[] = []
  const parameters: Record<string, string | number> = {}
  const add = (name: string, value: string | number, condition: string): void => {
    parameters[prefix + name] = value
    conditions.push(condition)
  }
  if (types) add('types', listParameter(types), `n.type IN (SELECT value FROM json_each(@${prefix}types))`)
  if (kinds) add('kinds', listParameter(kinds), `d.kind IN (SELECT value FROM json_each(@${prefix}kinds))`)
  if (paths)
    add(
      'paths',
      listParameter(paths.map(pathPattern)),
      `EXISTS (SELECT 1 FROM json_each(@${prefix}paths) p WHERE lower(${SHOWN_NAME}) GLOB p.value)`,
    )
  if (since !== undefined)
    add(
      'since',
      since,
      `EXISTS (SELECT 1 FROM versions v JOIN snapshots s ON s.id = v.snapshot_id
         WHERE v.node_key = n.key AND s.created_at >= @${prefix}since)`,
    )
  if (pinned !== undefined)
    add(
      'pinned',
      Number(pinned),
      `EXISTS (SELECT 1 FROM heat h WHERE h.node_key = n.key AND h.pinned = @${prefix}pinned)`,
    )
  if (without) add('without', matchText(without), `n.key NOT IN (${WITH_WORD} @${prefix}without)`)
  for (const [at, tag] of tags.entries()) {
    const name = `tag${at}`
    const word = `${prefix}${name}`
    parameters[`${word}word`] = tag
    add(
      name,
      quoted(tag),
      `(n.key IN (${WITH_WORD} @${word}) OR n.document_id IN (SELECT p.document_id FROM nodes p
         LEFT JOIN nodes o ON o.key = p.parent_key
         WHERE (p.type = 'preamble' OR o.type = 'preamble') AND p.key IN (${WITH_WORD} @${word}))
       OR n.document_id IN (SELECT g.document_id FROM document_tags g WHERE g.word = @${word}word))`,
    )
  }
  for (const [at, tag] of documentTags.entries())
    add(
      `documentTag${at}`,
      tag,
      `EXISTS (SELECT 1 FROM document_tags g WHERE g.tag = @${prefix}documentTag${at} AND g.document_id = n.document_id)`,
    )
  const nested = (one: Filters, name: string): string => {
    const inner = filterSql(one, `${prefix}${name}_`)
    Object.assign(parameters, inner.parameters)
    return inner.conditions.length === 0 ? 'TRUE' : `(${inner.conditions.join(' AND ')})`
  }
  for (const [at, some] of any.entries())
    conditions.push(`(${some.map((one, place) => nested(one, `any${at}_${place}`)).join(' OR ')})`)
  for (const [at, one] of none.entries()) conditions.push(`NOT ${nested(one, `none${at}`)}`)
  return { conditions, parameters }
}

/** A part of a path finds what has it anywhere; with `*` or `?` it is the whole path. */
function pathPattern(path: string): string {
  const pattern = Array.from(path, anyCase).join('')
  return /[*?]/.test(path) ? pattern : `*${pattern}*`
}

/** SQLite's `lower` knows ASCII only. */
function anyCase(character: string): string {
  if (character <= '\x7f') return character === '[' ? '[[]' : character.toLowerCase()
  const both = [...new Set([character.toLowerCase(), character.toUpperCase()])]
  const isOne = both.every((one) => [...one].length === 1)
  return both.length === 1 || !isOne ? character : `[${both.join('')}]`
}

/** A match in FTS5's language. Words are quoted: nothing in them is an operator. */
export function matchText({ units, expression, inLabel = false }: Match): string {
  const text = expressionText(expression, units)
  return inLabel ? `label : (${text})` : text
}

function expressionText(expression: Expression, units: readonly Unit[]): string {
  if (typeof expression === 'number') return unitText(units[expression])
  if ('and' in expression) return joined(expression.and, ' AND ', units)
  if ('or' in expression) return joined(expression.or, ' OR ', units)
  return `(${expressionText(expression.of, units)} NOT ${expressionText(expression.without, units)})`
}

function joined(parts: readonly Expression[], operator: string, units: readonly Unit[]): string {
  return `(${parts.map((part) => expressionText(part, units)).join(operator)})`
}

function unitText(unit: Unit | undefined): string {
  if (!unit) throw new Error('an expression names a unit that the query has not')
  return `${quoted(unit.words.join(' '))}${unit.kind === 'prefix' ? '*' : ''}`
}

function quoted(words: string): string {
  return `"${words.replaceAll('"', '""')}"`
}
