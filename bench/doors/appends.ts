/** Child of `bench/doors.ts`: many appends to one file. */
import { statSync } from 'node:fs'
import { openMemory } from '../../src/index.ts'
import { createRandom, words } from '../engine/corpus.ts'
import { median, timed } from '../engine/timing.ts'
import { FILES } from './corpus.ts'

/** How many of the first and of the last are looked at. */
const LOOKED_AT = 200

export interface Appended {
  appends: number
  textBytes: number
  databaseBytes: number
  firstMs: number
  lastMs: number
}

const [file = '', given = '0'] = process.argv.slice(2)
const appends = Number(given)
const random = createRandom(11)
const times: number[] = []
let textBytes = 0
{
  await using memory = await openMemory({ db: file, settings: { author: 'bench' } })
  const files = memory.memoryNode({ id: FILES.node, scope: FILES.scope }).getMemoryService()
  for (let at = 0; at < appends; at++) {
    // An entry as agents write them: one to four sentences.
    const entry = Array.from({ length: 1 + (at % 4) }, () => `${words(random, 11)}.`).join(' ')
    times.push(await timed(() => files.append('/journal', `- ${entry}`)))
  }
  textBytes = Buffer.byteLength(await files.read('/journal'))
}
const appended: Appended = {
  ...{ appends, textBytes, databaseBytes: statSync(file).size },
  firstMs: median(times.slice(0, LOOKED_AT)),
  lastMs: median(times.slice(-LOOKED_AT)),
}
process.stdout.write(JSON.stringify(appended))
