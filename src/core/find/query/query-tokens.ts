import { FILTER_NAMES, type FilterName } from './query-filters.ts'

export type Operator = 'AND' | 'OR' | 'NOT'

export interface FilterToken {
  kind: 'filter'
  name: FilterName
  value: string
  source: string
}

/** A piece of a query, not yet validated. `source` is the original text. */
export type Token =
  | FilterToken
  | { kind: 'operator'; source: Operator }
  | { kind: 'bracket'; source: '(' | ')' }
  | { kind: 'phrase'; text: string; source: string }
  | { kind: 'chunk' | 'quote'; source: string }

const VALUE = String.raw`(?:"[^"]*"|[^\s"(),]+)`
const PHRASE = `"(?<straight>[^"]*)"|“(?<curly>[^“”]*)”`
const FILTER = String.raw`(?<=^|[\s(])(?<name>${FILTER_NAMES.join('|')}):(?<value>${VALUE}(?:,${VALUE})*),*(?=$|[\s)])`
/** The characters that end a chunk separate words; but not in `3,000`. */
const CHUNK = String.raw`(?:(?:[^\s,;!?()[\]{}<>|"“”«»]|(?<=\d),(?=\d))+)`
const TOKEN = new RegExp(`${FILTER}|${PHRASE}|${CHUNK}|[()"]`, 'giu')

/** Most queries are words separated by single spaces: they need no further parsing. */
const PLAIN = /^[a-z0-9]+(?: [a-z0-9]+)*$/

export function tokensOf(text: string): Token[] {
  if (PLAIN.test(text)) return text.split(' ').map((source) => ({ kind: 'chunk', source }))
  return Array.from(text.matchAll(TOKEN), ({ 0: source, groups = {} }) => tokenOf(source, groups))
}

function tokenOf(
  source: string,
  { name, value, straight, curly }: Record<string, string | undefined>,
): Token {
  const phrase = straight ?? curly
  if (name !== undefined)
    return { kind: 'filter', name: name.toLowerCase() as FilterName, value: value ?? '', source }
  if (phrase !== undefined) return { kind: 'phrase', text: phrase, source }
  if (source === '(' || source === ')') return { kind: 'bracket', source }
  if (isOperator(source)) return { kind: 'operator', source }
  return { kind: source === '"' ? 'quote' : 'chunk', source }
}

function isOperator(chunk: string): chunk is Operator {
  return chunk === 'AND' || chunk === 'OR' || chunk === 'NOT'
}
