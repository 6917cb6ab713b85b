/**
 * Many memories in one process, as a server of spaces has them: how long it takes to open one, what calls take while others go on, and
 * how much memory all of it needs. `npm run bench -- spaces [--spaces 5000] [--active 100] [--nodes 60]`: a table on stderr, JSON on
 * stdout.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { child } from './engine/child.ts'
import { type Figures, figureLines, judge, type Plan } from './spaces/figures.ts'
import { makeSpaces } from './spaces/files.ts'

const { values } = parseArgs({
  options: {
    spaces: { type: 'string', default: '5000' },
    active: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '5' },
    churn: { type: 'string', default: '400' },
    /** Of each space. */
    nodes: { type: 'string', default: '60' },
  },
})

const plan = {
  spaces: Number(values.spaces),
  active: Number(values.active),
  rounds: Number(values.rounds),
  churn: Number(values.churn),
}
const floor = await measured('floor')
const ours = await measured('ours')
const verdicts = judge(ours)
process.stderr.write(`${figureLines(ours, floor, verdicts).join('\n')}\n`)
process.stdout.write(`${JSON.stringify({ ...plan, ours, floor, verdicts }, null, 2)}\n`)

/** Each side has files that nobody has written to. */
async function measured(side: string): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
  try {
    process.stderr.write(`${side}: making ${plan.spaces} files…\n`)
    await makeSpaces(folder, { spaces: plan.spaces, nodes: Number(values.nodes) })
    const given: Plan = { folder, ...plan }
    return child(join(import.meta.dirname, 'spaces', `${side}.ts`), [JSON.stringify(given)])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
