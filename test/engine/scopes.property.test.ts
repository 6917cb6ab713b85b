import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectSound, idsByText, openWorkspace } from '../support/engine.ts'
import { RUNS } from '../support/engine-documents.ts'
import { LATER } from '../support/engine-files.ts'

const TIMEOUT = { timeout: 60_000 * RUNS }

const PATHS = ['a.md', 'b.md', 'sub/a.md', 'sub/c.md', 'sub/deep/d.md', 'vendor/v.md', 'other/e.md']
const SCOPES = ['', 'sub', 'sub/deep', 'other', 'vendor', ...PATHS]

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ compile: fc.constantFrom(...SCOPES) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.constantFrom(...PATHS) }) },
  { weight: 1, arbitrary: fc.record({ ignore: fc.constantFrom('', 'c.md', 'sub/', '/a.md') }) },
)

test('compiling parts in any order ends in what compiling everything gives', TIMEOUT, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      await using at = await openWorkspace({}, LATER)
      await using whole = await openWorkspace()
      const present = new Set(PATHS)
      for (const path of PATHS) at.file(path, `# ${path}\n\nIn ${path}.\n`)
      for (const one of steps) {
        if ('ignore' in one) at.file('.remindb/ignore', one.ignore)
        else if ('compile' in one) await compileIfThere(at, one.compile, present)
        else if (present.delete(one.remove)) at.remove(one.remove)
      }
      // Everything, and what is only compiled by name.
      at.file('.remindb/ignore', '')
      for (const scope of ['', 'vendor']) await compileIfThere(at, scope, present)
      for (const path of present) whole.file(path, `# ${path}\n\nIn ${path}.\n`)
      for (const scope of ['', 'vendor']) await compileIfThere(whole, scope, present)
      expect(await idsByText(at.memory)).toEqual(await idsByText(whole.memory))
      await expectSound(at.memory)
    }),
    { numRuns: 12 * RUNS, interruptAfterTimeLimit: 45_000 * RUNS },
  )
})

type At = Awaited<ReturnType<typeof openWorkspace>>

/** A folder stays when its files go; a file that is gone cannot be named. */
async function compileIfThere({ memory, folder }: At, scope: string, present: Set<string>): Promise<void> {
  const isThere = scope === '' || [...present].some((path) => path === scope || path.startsWith(`${scope}/`))
  if (isThere) await memory.compile(join(folder, scope))
}
