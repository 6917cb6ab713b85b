import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Nodes in each file: one title, five sections, 24 blocks. About 270 bytes of text a node, and a link a section. */
const SECTIONS = 5
const BLOCKS = 24
export const NODES_PER_FILE = 1 + SECTIONS + BLOCKS

export interface Corpus {
  files: number
  nodes: number
  bytes: number
}

/** A size as it is written on the command line: 500, 10k, 1M. */
export function nodesOf(size: string): number {
  const [, digits, unit = ''] = /^(\d+)([kM]?)$/.exec(size.trim()) ?? []
  if (!digits) throw new Error(`--sizes takes numbers such as 10k,100k,1M; got ${size}`)
  return Number(digits) * ({ '': 1, k: 1000, M: 1_000_000 }[unit] ?? 1)
}

/** Writes a folder of notes with about `nodes` nodes: the same one every time. */
export function writeCorpus(folder: string, nodes: number): Corpus {
  const files = Math.max(1, Math.round(nodes / NODES_PER_FILE))
  const random = createRandom(nodes)
  let bytes = 0
  for (let at = 0; at < files; at++) {
    const directory = join(folder, `part-${String(Math.floor(at / 500)).padStart(3, '0')}`)
    if (at % 500 === 0) mkdirSync(directory, { recursive: true })
    const text = noteText(random, at, files)
    bytes += Buffer.byteLength(text)
    writeFileSync(join(directory, `note-${String(at).padStart(5, '0')}.md`), text)
  }
  return { files, nodes: files * NODES_PER_FILE, bytes }
}

function noteText(random: Random, at: number, files: number): string {
  const parts = [`# Note ${at}`]
  for (let block = 0; block < BLOCKS; block++) {
    const opensSection = block % Math.ceil(BLOCKS / SECTIONS) === 0
    if (opensSection) parts.push(`## ${words(random, 4)}`)
    const text = blockText(random, block)
    // One in ten leads to a note that is not there.
    parts.push(opensSection ? `${text} See [[Note ${Math.floor(random() * files * 1.1)}]].` : text)
  }
  return `${parts.join('\n\n')}\n`
}

function blockText(random: Random, block: number): string {
  if (block % 8 === 3) return Array.from({ length: 5 }, () => `- ${words(random, 7)}`).join('\n')
  if (block % 8 === 6)
    return `\`\`\`ts\n${Array.from({ length: 5 }, () => words(random, 7)).join('\n')}\n\`\`\``
  return Array.from({ length: 4 }, () => `${words(random, 10)}.`).join(' ')
}

/** Words as in prose: few of them often, many of them rarely. */
export function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => word(Math.floor(random() ** 3 * 40_000))).join(' ')
}

const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ren',
  'tu',
  'sa',
  'vel',
  'do',
  'pi',
  'nor',
  'ex',
  'ta',
  'ci',
  'um',
  'bra',
  'fe',
]

function word(rank: number): string {
  let rest = rank + SYLLABLES.length
  let text = ''
  while (rest > 0) {
    text += SYLLABLES[rest % SYLLABLES.length]
    rest = Math.floor(rest / SYLLABLES.length)
  }
  return text
}

export type Random = () => number

/** mulberry32: small, fast and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
