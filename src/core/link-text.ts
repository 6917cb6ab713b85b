import { DEFAULT_WEIGHT } from './link.ts'
import type { Link } from './model.ts'

/** A pair of double brackets with none inside: the innermost pair is the link. */
const LINK = /\[\[([^[\]\n]*)\]\]/g
/** Code has no links: text between equal runs of backticks is left alone. */
const CODE_OR_LINK = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|\[\[([^[\]\n]*)\]\]/g
const PARAMETER = /^\s*(\w+)\s*=(.*)$/

export interface Linked {
  /** With `[[Label]]` for each link; its parameters are only in `links`. */
  text: string
  links: Link[]
}

/** The links of a text that has no code. */
export function linksIn(text: string): Linked {
  if (!text.includes('[[')) return { text, links: [] }
  const links: Link[] = []
  return { text: text.replaceAll(LINK, (whole, inner: string) => take(whole, inner, links)), links }
}

/** The links of a text that may have code spans. */
export function extractLinks(text: string): Linked {
  if (!text.includes('[[')) return { text, links: [] }
  const links: Link[] = []
  const replaced = text.replaceAll(CODE_OR_LINK, (whole, ticks: string | undefined, inner: string) =>
    ticks === undefined ? take(whole, inner, links) : whole,
  )
  return { text: replaced, links }
}

/** A link as it is shown in a text that was read. */
export function renderLink({ label }: Pick<Link, 'label'>): string {
  return `[[${label}]]`
}

/** A link with all its parameters, as an author would write it. */
export function writeLink({ label, weight, source, id }: Link): string {
  const parameters = [
    weight === DEFAULT_WEIGHT ? '' : `; w=${weight}`,
    source === '' ? '' : `; source=${source}`,
    id === '' ? '' : `; id=${id}`,
  ]
  return `[[${label}${parameters.join('')}]]`
}

function take(whole: string, inner: string, links: Link[]): string {
  const link = parseLink(inner)
  if (!link) return whole
  links.push(link)
  return renderLink(link)
}

/** The text between the brackets as a link; undefined if it names nothing. */
export function parseLink(inner: string): Link | undefined {
  const [first = '', ...rest] = inner.split(';')
  const hasParameters = rest.some((segment) => PARAMETER.test(segment))
  const label = (hasParameters ? first : inner).trim()
  if (label === '') return undefined
  const link: Link = { label, weight: DEFAULT_WEIGHT, source: '', id: '' }
  for (const segment of hasParameters ? rest : []) setParameter(link, segment)
  return link
}

/** Ignores unknown parameters and weights that are not numbers: a text is never rejected for its links. */
function setParameter(link: Link, segment: string): void {
  const [, name, value = ''] = PARAMETER.exec(segment) ?? []
  if (name === 'w') link.weight = weightOf(value) ?? link.weight
  else if (name === 'source') link.source = value.trim()
  else if (name === 'id') link.id = value.trim()
}

export function weightOf(value: string): number | undefined {
  const weight = value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(weight) ? weight : undefined
}
