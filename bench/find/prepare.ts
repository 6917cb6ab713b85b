/**
 * Child of `bench/find.ts`: compiles notes, and links them by hand. In the texts only paragraphs link, and to titles, so that
 * no way is longer than two hops. Each title gets two links to others: then five hops lead somewhere.
 */

import { putManualLink } from '../../src/core/links/manual.ts'
import { openMemory } from '../../src/index.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { loadXxh64 } from '../../src/util/text/xxh64.ts'
import { writing } from '../../test/support/writing.ts'
import { createRandom } from '../engine/corpus.ts'

const [notes = '', db = ''] = process.argv.slice(2)
const LINKS_EACH = 2
const BATCH = 1000

await compile()
const engine = await openSqlite({ file: db, hash: await loadXxh64(), writer: 'here' })
const titles = await engine.store.read((tx) =>
  tx.outline([{ parentKey: null }], { fields: 'full', limit: Number.MAX_SAFE_INTEGER }),
)
const random = createRandom(titles.length)
for (let at = 0; at < titles.length; at += BATCH) await linkTitles(titles.slice(at, at + BATCH))
await engine.close()
process.stdout.write(JSON.stringify({ titles: titles.length }))

async function compile(): Promise<void> {
  await using memory = await openMemory({ db, settings: { author: 'bench' } })
  await memory.compile(notes)
}

function linkTitles(some: typeof titles): Promise<void> {
  return writing(engine.store, async (tx) => {
    for (const title of some) {
      for (let link = 0; link < LINKS_EACH; link++) {
        const id = titles[Math.floor(random() * titles.length)]?.id ?? ''
        await putManualLink(tx, title, { id, label: '', source: '', weight: 1 + link }, 0)
      }
    }
  })
}
