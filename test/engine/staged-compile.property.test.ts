import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { expectSound, temporaryFolder } from '../support/engine.ts'
import { RUNS } from '../support/engine-documents.ts'
import { compileStaged, type Moments, storedIn } from '../support/staged.ts'

const TIMEOUT = { timeout: 60_000 * RUNS }

const NAMES = ['Alpha', 'alpha ', 'Beta', 'Environment']
const LABELS = [...NAMES, 'Nowhere', 'a', 'sub/a', 'b#Alpha', 'B.md|b', '#^b1', 'a#^b1', 'Zed', '/n.md']
const block = fc.oneof(
  fc.constantFrom(...NAMES).map((name) => `# ${name}`),
  fc.constantFrom(...NAMES).map((name) => `## ${name}`),
  fc.constantFrom(
    'A block ^b1',
    '[x](a.md)',
    '[x](../b.md#beta)',
    '---\naliases: [Zed, Beta]\n---',
    '- a\n- b',
  ),
  fc
    .array(fc.constantFrom(...LABELS), { minLength: 1, maxLength: 3 })
    .map((labels) => `See ${labels.map((label) => `[[${label}]]`).join(' and ')}.`),
)
const text = fc.array(block, { maxLength: 6 }).map((blocks) => blocks.join('\n\n'))
const files = fc.dictionary(fc.constantFrom('a.md', 'b.md', 'sub/a.md', 'c.txt'), text, { minKeys: 1 })
/** What somebody else does: a note, maybe with a link by hand, a key, a file behind its door. */
const deed = fc.record({ door: fc.constantFrom('note', 'key', 'file', 'forgotten', 'related'), text })
const deeds = fc.array(deed, { maxLength: 3 })

async function doAll(file: string, all: readonly { door: string; text: string }[]): Promise<void> {
  await using memory = await openMemory({ db: file, settings: { 'store.synchronous': 'normal' } })
  const door = memory.memoryNode({ id: 'agent', scope: 'global' }).getMemoryService()
  for (const [at, { door: by, text: said }] of all.entries()) {
    const payload = said.trim() === '' ? 'Something.' : said
    if (by === 'key') await memory.keys.remember({ key: `key-${at}`, value: payload })
    else if (by === 'file') await door.append('/n.md', payload)
    else {
      const { id } = await memory.write({ payload })
      if (by === 'forgotten') await memory.forget({ id, mode: 'cascade' })
      if (by === 'related') await memory.relate({ sourceId: id, targetLabel: 'Alpha' })
    }
  }
}

test(
  'a compile that is staged stores what one that is not does, whatever others wrote before and meanwhile',
  TIMEOUT,
  async () => {
    await fc.assert(
      fc.asyncProperty(files, deeds, deeds, async (texts, before, meanwhile) => {
        const place = temporaryFolder()
        const [folder, staged, direct] = [
          join(place, 'notes'),
          join(place, 'staged.db'),
          join(place, 'direct.db'),
        ]
        for (const [path, said] of Object.entries(texts)) {
          mkdirSync(dirname(join(folder, path)), { recursive: true })
          writeFileSync(join(folder, path), said)
        }
        await doAll(staged, before)
        let isStaged = false
        const seedOf = (path: string): number | undefined => (path === 'a.md' ? 0.8 : undefined)
        const moments: Moments = {
          async staged({ maintenance }) {
            isStaged = true
            await doAll(staged, meanwhile)
            await maintenance.files?.backup(direct)
          },
        }
        const result = await compileStaged(staged, folder, moments, { seedOf })
        expect(isStaged).toBe(true)
        const unstaged = await compileStaged(
          direct,
          folder,
          {},
          { seedOf, stagedFrom: Number.POSITIVE_INFINITY },
        )
        expect(result).toEqual(unstaged)
        expect(storedIn(staged)).toEqual(storedIn(direct))
        await using memory = await openMemory({ db: staged })
        await expectSound(memory)
      }),
      { numRuns: 25 * RUNS },
    )
  },
)
