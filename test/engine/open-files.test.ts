import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/engine.ts'
import { useWithFewFiles } from '../support/open-files-process.ts'

const OUT_OF_FILES = /^(done|UNAVAILABLE .*too many open files; nothing was changed\..*`ulimit -n`.*)$/

test.runIf(process.platform !== 'win32')(
  'without a file left to open, everything says that, and no file counts as deleted',
  async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'notes'))
    const { attempts, files } = await useWithFewFiles(folder)
    const outcomes = attempts.flatMap(({ free, ...others }) =>
      Object.entries(others).map(([what, outcome]) => ({ free, what, outcome })),
    )
    expect(outcomes.filter(({ outcome }) => !OUT_OF_FILES.test(outcome))).toEqual([])
    for (const what of ['compile', 'open', 'create', 'write'])
      expect(outcomes.some((one) => one.what === what && one.outcome !== 'done')).toBe(true)
    expect(files.filter((path) => path.endsWith('.md'))).toEqual(['0.md', '1.md', '2.md', '3.md'])
  },
)
