import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { ensureProgramIsBuilt } from './support/cli.ts'
import { readPages } from './support/docs.ts'
import { follow, isFollowed } from './support/tutorials.ts'

/** Followed in `team-tutorial.test.ts`: it needs a server, a browser and an agent. */
const OF_A_TEAM = 'docs/tutorials/team-memory.md'

const tutorials = [...readPages()].filter(
  ([path]) => isFollowed(path) && !path.endsWith('/index.md') && path !== OF_A_TEAM,
)

beforeAll(ensureProgramIsBuilt)

test.each(tutorials)('%s shows what a reader who follows it sees', (_, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-tutorial-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const steps = follow(folder, text)
  expect(steps.length).toBeGreaterThan(2)
  for (const { line, shown, seen } of steps) expect(seen, `line ${line}`).toBe(shown)
})
