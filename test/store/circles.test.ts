import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { allPages, watch } from '../support/resources.ts'
import { tamper } from '../support/store-database.ts'
import { temporaryFolder } from '../support/store-files.ts'

async function circle(): Promise<string> {
  const file = join(temporaryFolder(), 'memory.db')
  const made = await openMemory({ db: file })
  await made.write({ payload: '# One\n\n## Two\n\n### Three\n\nThe word is zebra.' })
  await made.close()
  tamper(file, (db) => {
    const key = (label: string) => db.prepare('SELECT key FROM nodes WHERE label = ?').pluck().get(label)
    db.prepare('UPDATE nodes SET parent_key = ? WHERE key = ?').run(key('Three'), key('One'))
  })
  return file
}

test('a damaged memory whose nodes stand below themselves can still be searched', async () => {
  await using memory = await openMemory({ db: await circle() })
  const { hits } = await memory.search({ query: 'zebra', warm: false })
  expect(hits.map(({ headingPath }) => headingPath)).toEqual([['One', 'Two', 'Three']])
})

test('a subtree of it comes to an end, at once and in pages', async () => {
  await using seen = await watch(await circle())
  const two = (await seen.json('remindb://search?q=two')).hits[0].id
  const { roots } = await seen.json(`remindb://tree/${two}`)
  const labels = ['Two', 'Three', 'The word is zebra.', 'One']
  expect(
    JSON.stringify(roots)
      .match(/(?<="label":")[^"]*/g)
      ?.toSorted(),
  ).toEqual(labels.toSorted())
  const pages = await allPages(seen, `remindb://tree/${two}`, ({ nodes }) => nodes.length, 1)
  const inPages = pages.flatMap(({ nodes }) => nodes.map((node: { label: string }) => node.label))
  expect(inPages).toEqual(['Two', 'Three', 'One'])
})
