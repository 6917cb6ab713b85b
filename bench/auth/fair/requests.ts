import { createRandom, type Random, words } from '../../engine/corpus.ts'
import { headersOf, META } from '../../serve/http-client.ts'

/** A call of a tool. */
export interface ToolCall {
  name: string
  args: object
}

/** What an agent does: it looks something up more often than it stores something. */
const ORDINARY = ['recall', 'MemorySearch', 'recall', 'remember', 'recall', 'MemorySearch'] as const
const KEYS = 20

/** The calls of one ordinary client, each other than the one before. It stores first what it recalls later. */
export function ordinaryCalls(client: number): () => ToolCall {
  const random = createRandom(client + 1)
  let at = 0
  return () => {
    const name = at < KEYS ? 'remember' : ORDINARY[at % ORDINARY.length]
    const key = `client-${client}-${at < KEYS ? at : Math.floor(random() * KEYS)}`
    at++
    if (name === 'remember') return { name, args: { key, value: words(random, 40) } }
    return name === 'recall'
      ? { name, args: { key } }
      : { name: 'MemorySearch', args: { query: words(random, 3) } }
  }
}

/** How many of its calls come before those that are measured. */
export const STORED_FIRST = KEYS

export const ABUSES = ['recalls', 'remembers', 'searches', 'large values', 'large notes'] as const
export type Abuse = (typeof ABUSES)[number]

/** Some requests of each kind are made once and sent again and again: whoever makes them all anew needs a core for it. */
const VARIANTS = 50
const LARGE_WORDS = 30_000
/** Its digits are replaced each time: what is stored already would not be stored again. */
const MARK = 'mark000000000'

export function abusiveCalls(abuse: Abuse): ToolCall[] {
  const random = createRandom(7)
  const count = abuse.startsWith('large') ? 4 : VARIANTS
  return Array.from({ length: count }, (_, at) => abusiveCall(abuse, random, at))
}

function abusiveCall(abuse: Abuse, random: Random, at: number): ToolCall {
  const key = `abuse-${at}`
  switch (abuse) {
    case 'recalls':
      return { name: 'recall', args: { key: `client-0-${at % KEYS}` } }
    case 'remembers':
      return { name: 'remember', args: { key, value: `${MARK} ${words(random, 40)}` } }
    case 'searches':
      // The most frequent words there are.
      return { name: 'MemorySearch', args: { query: `kalo milo ${words(random, 8)}`, limit: 50 } }
    case 'large values':
      return { name: 'remember', args: { key, value: `${MARK} ${words(random, LARGE_WORDS)}` } }
    case 'large notes':
      return { name: 'MemoryWrite', args: { payload: note(random) } }
  }
}

function note(random: Random): string {
  const sections = Array.from({ length: 100 }, () => `## ${words(random, 4)}\n\n${words(random, 280)}.`)
  return `# ${MARK} ${words(random, 4)}\n\n${sections.join('\n\n')}\n`
}

/** As it goes over the wire. */
export function wireRequest(url: string, key: string, { name, args }: ToolCall): Buffer {
  const { pathname, host } = new URL(url)
  const params = { name, arguments: args, _meta: META }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const headers = { ...headersOf('tools/call', params), authorization: `Bearer ${key}`, host }
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)) })
  return Buffer.from(
    `POST ${pathname} HTTP/1.1\r\n${lines.map(([header, value]) => `${header}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}

/** The same request with another mark. */
export function marked(request: Buffer, number: number): Buffer {
  const at = request.indexOf(MARK)
  if (at < 0) return request
  const copy = Buffer.from(request)
  copy.write(String(number).padStart(9, '0'), at + MARK.length - 9, 'latin1')
  return copy
}
