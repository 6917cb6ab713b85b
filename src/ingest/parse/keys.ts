import { redactionMarker } from '../../core/redact.ts'
import type { ParseOptions } from './parse-options.ts'

/** The texts of a document, in order, without the private keys that span one or several of them. */
export function withoutKeys(texts: readonly string[], { findKeys }: ParseOptions): readonly string[] {
  const joined = texts.join('\n')
  const keys = findKeys(joined)
  if (keys.length === 0) return texts
  let next = 0
  let start = 0
  return texts.map((text) => {
    const end = start + text.length
    let kept = ''
    let at = start
    for (let key = keys[next]; key && key.start < end; key = keys[++next]) {
      if (key.start >= start) kept += joined.slice(at, key.start) + redactionMarker(key.kind)
      at = Math.min(key.end, end)
      if (key.end > end) break
    }
    start = end + 1
    return kept + joined.slice(at, end)
  })
}
