import { KeyName, NOT_SECRET } from './key-name.ts'
import { isPinValue, isSecretValue } from './secret-value.ts'
import type { Hit } from './text/hit.ts'
import { BASIC_KIND, BEARER_KIND, KEYED_KIND } from './text/kinds.ts'
import { Scan } from './text/scan.ts'
import { Value } from './value.ts'

const SCHEME = /^(bearer|basic|[a-z-]{2,20})[ \t]+(?=\S+$)/i

const scan = new Scan(() => true)
const key = new KeyName()
const value = new Value()

/** The secret part of a value under a key in a file of names and values; undefined if the key does not make it secret. */
export function findField(text: string, name: string): Hit | undefined {
  // The key first: only one text is read at a time.
  scan.open(name)
  if (key.read(scan, name.length, true) === NOT_SECRET) return undefined
  const scheme = key.isAuthorization ? (SCHEME.exec(text) ?? ['', '']) : ['', '']
  const from = (scheme[0] as string).length
  scan.open(text)
  value.read(scan, from, text.length, true)
  if (!(key.isPin && isPinValue(value)) && !isSecretValue(scan, value, key.level)) return undefined
  return { kind: kindOf((scheme[1] as string).toLowerCase()), start: 0, from, end: text.length }
}

function kindOf(scheme: string): string {
  if (scheme === 'bearer') return BEARER_KIND
  return scheme === 'basic' ? BASIC_KIND : KEYED_KIND
}
