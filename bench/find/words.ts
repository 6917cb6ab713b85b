import type { Database } from 'better-sqlite3'
import type { Random } from '../engine/corpus.ts'
import { matchOf } from './floors.ts'

/** Words of the notes by how many nodes have them. */
export interface Vocabulary {
  /** 3 to 8 nodes. */
  rare: string[]
  /** 0.5 to 2 % of all nodes. */
  middling: string[]
  /** More than 8 % of all nodes; the most frequent one is in about half. */
  frequent: string[]
}

const SAMPLE = 5000
const ENOUGH = 200
/** Words around the made-up ones; some might be stop words. */
const MARKUP = ['note', 'see', 'ts']

/** Samples texts for candidates; then each is counted, so that a band is what it says. */
export function pickWords(db: Database, random: Random): Vocabulary {
  const nodes = db.prepare('SELECT max(key) FROM nodes').pluck().get() as number
  const shares = sampleShares(db, random, nodes)
  const count = db.prepare('SELECT count(*) FROM node_index WHERE node_index MATCH ?').pluck()
  const between = (low: number, high: number, isCandidate: (share: number) => boolean): string[] => {
    const chosen: string[] = []
    for (const [word, share] of shares) {
      if (chosen.length >= ENOUGH) break
      if (!isCandidate(share)) continue
      const found = count.get(matchOf([word])) as number
      if (found >= low && found <= high) chosen.push(word)
    }
    return chosen
  }
  return {
    rare: between(3, 8, (share) => share < 0.001),
    middling: between(0.005 * nodes, 0.02 * nodes, (share) => share > 0.003 && share < 0.03),
    frequent: between(0.08 * nodes, nodes, (share) => share > 0.06),
  }
}

/** For each word of some texts the share of these texts that have it. */
function sampleShares(db: Database, random: Random, nodes: number): Map<string, number> {
  const text = db
    .prepare('SELECT t.body FROM nodes n JOIN texts t ON t.id = n.text_id WHERE n.key = ?')
    .pluck()
  const counts = new Map<string, number>()
  for (let at = 0; at < SAMPLE; at++) {
    const body = (text.get(1 + Math.floor(random() * nodes)) ?? '') as string
    // Numbers are the rarest words: those of notes, in links.
    for (const word of new Set(body.toLowerCase().match(/[a-z]{3,}|\d{2,}/g)))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  for (const word of MARKUP) counts.delete(word)
  return new Map([...counts].map(([word, count]) => [word, count / SAMPLE]))
}
