import { MemoryError } from '../../core/errors.ts'
import { type Redact, redactionMarker, redactionMarkers } from '../../core/redact.ts'
import { contentDigest } from '../../util/text/hash.ts'
import { type CustomPattern, compileCustom, type FindCustom } from './custom.ts'
import { findField } from './field.ts'
import { findPrivateKeys } from './private-key.ts'
import { createScanner } from './scanner.ts'
import { BUILTIN_KINDS, BUILTIN_REVISION } from './text/builtin.ts'
import { type Hit, withoutOverlaps } from './text/hit.ts'
import { PRIVATE_KEY_KIND } from './text/kinds.ts'

export interface RedactionSettings {
  disableBuiltinKinds?: readonly string[]
  custom?: readonly CustomPattern[]
}

export interface Redactor {
  redact: Redact
  /** Where private keys are: also in a source whose marks would be taken for part of any other secret. */
  findKeys: Find
  /** Changes when the same text may be redacted differently: part of the digest of a file. */
  fingerprint: string
  /** The kinds to look for, in order. */
  kinds: string[]
  /** Plain data, from which a thread can make the same redactor for itself. */
  settings: RedactionSettings
}

type Find = (text: string) => Hit[]

/** Adjacent secrets are found one after the other. After this many the rest is removed together, with the word it is in. */
const EXACT_ROUNDS = 16
/**
 * The scanner leaves nothing of a built-in kind that it would find again, unless secrets are joined in ways that never occur in
 * practice. Up to this length a text is read again to be sure; beyond it that would cost more than it is worth.
 */
const VERIFIED = 64 * 1024

/** Throws INVALID_INPUT for invalid settings. */
export async function createRedactor({
  disableBuiltinKinds = [],
  custom = [],
}: RedactionSettings): Promise<Redactor> {
  for (const kind of disableBuiltinKinds) checkBuiltin(kind)
  const builtin = new Set(BUILTIN_KINDS.filter((kind) => !disableBuiltinKinds.includes(kind)))
  const customs = await compileCustom(custom)
  const scan: Find = createScanner((kind) => builtin.has(kind))
  const find = customs.length === 0 ? scan : withCustom(scan, customs)
  const kinds = [...builtin, ...custom.map(({ kind }) => kind)]
  const fingerprint = contentDigest(
    JSON.stringify([BUILTIN_REVISION, kinds, custom.map(({ pattern }) => pattern)]),
  ).slice(0, 16)
  return {
    redact: withFields((text) => {
      const isOnce = customs.length === 0 && text.length > VERIFIED
      return isOnce ? replace(text, scan(text)) : redactAll(find, text)
    }, builtin),
    findKeys: builtin.has(PRIVATE_KEY_KIND) ? findKeys : () => [],
    fingerprint,
    kinds,
    settings: { disableBuiltinKinds, custom },
  }
}

/** A value without a recognisable secret is one if its key indicates it. */
function withFields(redact: (text: string) => string, builtin: ReadonlySet<string>): Redact {
  return (text, key) => {
    const redacted = redact(text)
    if (key === undefined || redacted !== text || text === '') return redacted
    const hit = findField(text, key)
    return hit && builtin.has(hit.kind) ? replace(text, [hit]) : text
  }
}

function findKeys(text: string): Hit[] {
  return findPrivateKeys(text).map((hit) => ({ kind: PRIVATE_KEY_KIND, ...hit }))
}

/** The findings of the scanner and the matches of patterns, without overlaps. */
function withCustom(scan: Find, customs: readonly FindCustom[]): Find {
  return (text) => {
    const hits = customs.flatMap((find) => find(text))
    const markers = hits.length === 0 ? [] : [...redactionMarkers(text)]
    return withoutOverlaps([...scan(text), ...hits.filter((hit) => isSecret(hit, markers))])
  }
}

function checkBuiltin(kind: string): void {
  if (BUILTIN_KINDS.includes(kind)) return
  throw new MemoryError(
    'INVALID_INPUT',
    `invalid redaction.disable_builtin_kinds: unknown built-in redaction kind "${kind}"; known are ${BUILTIN_KINDS.join(', ')}`,
  )
}

/** Again until nothing is found: so a text that was redacted is one in which nothing is found. Every round leaves less to be found. */
function redactAll(find: Find, text: string): string {
  let redacted = text
  for (let round = 0; ; round++) {
    const hits = find(redacted)
    if (hits.length === 0) return redacted
    redacted = replace(redacted, round < EXACT_ROUNDS ? hits : withWords(redacted, hits))
  }
}

/** The hits with all of the words that they begin and end in: markers have no blanks, so none is cut. */
function withWords(text: string, hits: readonly Hit[]): Hit[] {
  let done = 0
  const wide: Hit[] = []
  for (const hit of hits) {
    if (hit.end <= done) continue
    let { from, end } = hit
    while (from > done && !isBlank(text, from - 1)) from--
    while (end < text.length && !isBlank(text, end)) end++
    wide.push({ kind: hit.kind, start: from, from, end })
    done = end
  }
  return wide
}

function isBlank(text: string, at: number): boolean {
  return /\s/.test(text[at] as string)
}

/** A hit may hold whole markers, never a part of one, and it must hold something else. */
function isSecret({ from, end }: Hit, markers: readonly { start: number; end: number }[]): boolean {
  let rest = end - from
  for (let at = firstAfter(markers, from); at < markers.length; at++) {
    const marker = markers[at] as { start: number; end: number }
    if (marker.start >= end) break
    if (marker.start < from || marker.end > end) return false
    rest -= marker.end - marker.start
  }
  return rest > 0
}

/** The first marker that ends after `place`: they are in order, and a text may have many. */
function firstAfter(markers: readonly { end: number }[], place: number): number {
  let low = 0
  let high = markers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((markers[middle] as { end: number }).end <= place) low = middle + 1
    else high = middle
  }
  return low
}

function replace(text: string, hits: readonly Hit[]): string {
  if (hits.length === 0) return text
  const markers = new Map<string, string>()
  const pieces: string[] = []
  let at = 0
  for (let i = 0; i < hits.length; i++) {
    const { kind, from, end } = hits[i] as Hit
    let marker = markers.get(kind)
    if (marker === undefined) {
      marker = redactionMarker(kind)
      markers.set(kind, marker)
    }
    pieces.push(text.slice(at, from), marker)
    at = end
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}
