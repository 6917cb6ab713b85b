import type { Hit } from './text/hit.ts'

/** Invisible characters: soft hyphens, zero-width spaces and joiners, the word joiner, the byte order mark. */
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/

/** A text without its invisible characters, and their positions: a secret that is split by them is still one. */
export interface Visible {
  text: string
  /** Places in `text` before which characters were taken out, in order. */
  cuts: number[]
  /** How many characters were taken out up to each of `cuts`. */
  taken: number[]
}

/** Undefined for a text without any, which is the usual case. */
export function findVisible(text: string): Visible | undefined {
  const first = text.search(INVISIBLE)
  if (first < 0) return undefined
  const codes = new Uint16Array(text.length)
  const cuts: number[] = []
  const taken: number[] = []
  let kept = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (!isInvisible(code)) codes[kept++] = code
    else if (cuts.at(-1) === kept) taken[taken.length - 1] = (taken.at(-1) as number) + 1
    else {
      cuts.push(kept)
      taken.push((taken.at(-1) ?? 0) + 1)
    }
  }
  return { text: new TextDecoder('utf-16le').decode(codes.subarray(0, kept)), cuts, taken }
}

function isInvisible(code: number): boolean {
  return code === 0xad || code === 0x2060 || code === 0xfeff || (code >= 0x200b && code <= 0x200d)
}

/** The same hits in the original text, in order. */
export function placeHits(hits: readonly Hit[], { cuts, taken }: Visible): Hit[] {
  let next = 0
  const shift = (place: number): number => {
    while (next < cuts.length && (cuts[next] as number) <= place) next++
    return place + (next === 0 ? 0 : (taken[next - 1] as number))
  }
  return hits.map(({ kind, start, from, end }) => ({
    kind,
    start: shift(start),
    from: shift(from),
    end: shift(end - 1) + 1,
  }))
}
