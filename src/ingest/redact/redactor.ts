import { MemoryError } from '../../core/errors.ts'
import { type Redact, redactionMarker, redactionMarkers } from '../../core/redact.ts'
import { contentDigest } from '../../util/hash.ts'
import { BUILTIN_KINDS, BUILTIN_PATTERNS, BUILTIN_REVISION } from './builtin.ts'
import { type CustomPattern, compileCustom } from './custom.ts'
import { createFinder, type Hit, withoutOverlaps } from './hit.ts'

export interface RedactionSettings {
  disableBuiltinKinds?: readonly string[]
  custom?: readonly CustomPattern[]
}

export interface Redactor {
  redact: Redact
  /** Where private keys are: also in a source whose marks would be taken for a part of any other secret. */
  findKeys: Find
  /** Another one when the same text may be redacted otherwise: part of the digest of a file. */
  fingerprint: string
  /** What is looked for, in order. */
  kinds: string[]
  /** Plain data, from which a thread can make the same redactor for itself. */
  settings: RedactionSettings
}

type Find = (text: string) => Hit[]

/** Secrets that touch each other come to light one after the other. After this many the rest goes at once, with the word it is in. */
const EXACT_ROUNDS = 16

/** Throws INVALID_INPUT for settings that cannot be meant. */
export async function createRedactor({
  disableBuiltinKinds = [],
  custom = [],
}: RedactionSettings): Promise<Redactor> {
  for (const kind of disableBuiltinKinds) checkBuiltin(kind)
  const builtin = BUILTIN_PATTERNS.filter(({ kind }) => !disableBuiltinKinds.includes(kind))
  const patterns = [...builtin, ...(await compileCustom(custom))]
  const find = createFinder(patterns)
  const findKeys = createFinder(patterns.filter(({ kind }) => kind === 'private_key_block'))
  const kinds = patterns.map(({ kind }) => kind)
  const fingerprint = contentDigest(
    JSON.stringify([BUILTIN_REVISION, kinds, custom.map(({ pattern }) => pattern)]),
  ).slice(0, 16)
  return {
    redact: (text) => redactWith(find, text),
    findKeys: (text) => withoutOverlaps(findSecrets(findKeys, text)),
    fingerprint,
    kinds,
    settings: { disableBuiltinKinds, custom },
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
function redactWith(find: Find, text: string): string {
  let redacted = text
  for (let round = 0; ; round++) {
    const hits = withoutOverlaps(findSecrets(find, redacted))
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

/** The hits that are not what an earlier round left. */
function findSecrets(find: Find, text: string): Hit[] {
  const hits = find(text)
  if (hits.length === 0) return hits
  const markers = [...redactionMarkers(text)]
  return markers.length === 0 ? hits : hits.filter((hit) => isSecret(hit, markers))
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
  let result = ''
  let at = 0
  for (const { kind, from, end } of hits) {
    result += text.slice(at, from) + redactionMarker(kind)
    at = end
  }
  return result + text.slice(at)
}
