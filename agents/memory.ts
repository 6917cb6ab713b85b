import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom, type Random, words, writeCorpus } from '../bench/engine/corpus.ts'
import { type Memory, openMemory } from '../src/index.ts'

/** In many small notes, and in one document that is far longer than any answer may be. */
const NOTES = 3000
const SECTIONS = 250
const PARAGRAPHS = 3
/** At every other door, so that a default answer there has to leave something out. */
const ENTRIES = 150
const SEED = 19
/** Of every record and key. */
export const TAG = 'made-up'

/** A memory of 4,000 nodes, and what a script has to know of it. */
export interface BigMemory {
  db: string
  nodes: number
  /** The longest document. */
  longest: string
  /** Many nodes with text. */
  many: string[]
  /** A node that can be removed. */
  spare: string
  /** Words that many nodes have. */
  query: string
  key: string
}

export async function buildMemory(folder: string): Promise<BigMemory> {
  const random = createRandom(SEED)
  const notes = join(folder, 'notes')
  writeCorpus(notes, NOTES)
  writeFileSync(join(notes, 'handbook.md'), handbookText(random))
  const db = join(folder, 'memory', 'memory.db')
  mkdirSync(join(folder, 'memory'))
  await using memory = await openMemory({ db, settings: { author: 'agents' } })
  await memory.compile(notes)
  await fillDoors(memory, random)
  const { id: spare } = await memory.write({ payload: 'A note that may be removed.' })
  const { roots } = await memory.forest()
  const handbook = roots.find(({ label }) => label === 'Handbook')
  if (!handbook) throw new Error('the handbook was not compiled')
  const many = roots.flatMap(({ children }) => children.flatMap(({ children: texts }) => texts.slice(0, 2)))
  return {
    ...{ db, spare, longest: handbook.id, many: many.slice(0, 100).map(({ id }) => id) },
    nodes: (await memory.overview()).nodes.total,
    query: words(createRandom(NOTES), 3),
    key: keyOf(0),
  }
}

function handbookText(random: Random): string {
  const sections = Array.from({ length: SECTIONS }, (_, at) => {
    const texts = Array.from({ length: PARAGRAPHS }, () => `${words(random, 30)}.`)
    return [`## ${at + 1} ${words(random, 3)}`, ...texts].join('\n\n')
  })
  return `${['# Handbook', ...sections].join('\n\n')}\n`
}

const keyOf = (at: number): string => `key-${String(at).padStart(3, '0')}`

async function fillDoors(memory: Memory, random: Random): Promise<void> {
  const files = memory.memoryNode({ id: 'memory', scope: 'global' }).getMemoryService({})
  for (let at = 0; at < ENTRIES; at++) {
    const content = `${words(random, 40)}.`
    await memory.records.store({ type: 'learning', content, tags: [TAG] })
    await memory.keys.remember({ key: keyOf(at), value: content, tags: [TAG] })
    await files.append(`/notes/${keyOf(at)}`, content)
  }
}
