import type { ServerCall } from '../tap/traffic.ts'

/** What became of an answer on its way to the model. */
export interface Received {
  /**
   * `text`, `json`, `both`: whole. `cut`: parts of it are missing. `replaced`: by something else, a file name for one.
   * `refused`: the call did not reach the server.
   */
  kind: 'text' | 'json' | 'both' | 'cut' | 'replaced' | 'refused'
  /** Characters of the server's text and of its JSON. */
  textLength: number
  jsonLength: number
  /** Characters that the model read. */
  gotLength: number
  /** What stands around an answer that is whole: `object`, or a tag. */
  wrapper?: string
}

/** Less than this in common is chance. */
const MIN_SHARED = 60

export function compareReceived(sent: ServerCall | undefined, got: string): Received {
  const lengths = {
    textLength: sent?.text.length ?? 0,
    jsonLength: sent?.json?.length ?? 0,
    gotLength: got.length,
  }
  if (!sent) return { kind: 'refused', ...lengths }
  const kind = wholeKind(sent, got)
  if (kind === 'json') return { kind, ...lengths }
  if (kind) return { kind, ...lengths, ...wrapperOf(got, sent) }
  const isCut = [sent.text, sent.json ?? ''].some((whole) => sharesStart(got, whole.trim()))
  return { kind: isCut ? 'cut' : 'replaced', ...lengths }
}

/** Undefined when neither is whole. Programs indent JSON and quote texts in it, so white space does not count. */
function wholeKind({ text, json }: ServerCall, got: string): 'text' | 'json' | 'both' | undefined {
  const all = withoutSpace(got)
  const texts = [withoutSpace(text), withoutSpace(inJson(text.trim()))]
  const data = json === undefined ? undefined : withoutSpace(json)
  if (data === texts[0]) {
    const times = new Set(texts.flatMap((form) => placesOf(all, form))).size
    if (times === 0) return undefined
    return times === 1 ? 'text' : 'both'
  }
  const hasJson = data !== undefined && all.includes(data)
  const rest = hasJson ? all.replace(data, () => '') : all
  const hasText = texts.some((form) => rest.includes(form))
  if (hasText) return hasJson ? 'both' : 'text'
  return hasJson ? 'json' : undefined
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '')

function placesOf(text: string, part: string): number[] {
  const at = text.indexOf(part)
  if (at < 0) return []
  return [at, ...placesOf(text.slice(at + part.length), part).map((next) => at + part.length + next)]
}

function sharesStart(got: string, whole: string): boolean {
  const start = whole.slice(0, MIN_SHARED)
  return start.length === MIN_SHARED && (got.includes(start) || got.includes(inJson(start)))
}

function wrapperOf(got: string, { text }: ServerCall): { wrapper?: string } {
  const form = [text.trim(), inJson(text.trim())].find((one) => got.includes(one))
  if (form === undefined) return {}
  const before = got.slice(0, got.indexOf(form)).trim()
  const tag = /<([\w-]+)[^<>]*>$/.exec(before)?.[1]
  if (tag) return { wrapper: `<${tag}>` }
  return /[{[]/.test(before) && /[}\]]$/.test(got.trim()) ? { wrapper: 'object' } : {}
}
