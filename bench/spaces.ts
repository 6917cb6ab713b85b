/**
 * Many memories in one process, as a server of spaces has them: how long it takes to open one, what calls take while others go on, and
 * how much memory all of it needs; first as a library, then as the built program answers clients with keys.
 * `npm run bench -- spaces [--part all|library|server] [--spaces 5000] [--active 100] [--nodes 60] [--principals 1000]
 * [--max-open 1001]`: tables on stderr, JSON on stdout.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { child } from './engine/child.ts'
import { verdictLines } from './engine/table.ts'
import { type Figures, figureLines, judge, type Plan } from './spaces/figures.ts'
import { makeSpaces } from './spaces/files.ts'
import { drawSpaces } from './spaces/measure.ts'
import { measureServer } from './spaces/server.ts'
import { judgePrincipals, judgeServer, serverLines } from './spaces/server-figures.ts'
import { makeTeamFolder } from './spaces/team-folder.ts'

const { values } = parseArgs({
  options: {
    part: { type: 'string', default: 'all' },
    spaces: { type: 'string', default: '5000' },
    active: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '5' },
    churn: { type: 'string', default: '400' },
    /** Of each space. */
    nodes: { type: 'string', default: '60' },
    /** Each with a space of its own. 0: not measured. */
    principals: { type: 'string', default: '1000' },
    /** How many of their spaces may be open at once. Default: all. */
    'max-open': { type: 'string' },
  },
})

const plan = {
  spaces: Number(values.spaces),
  active: Number(values.active),
  rounds: Number(values.rounds),
  churn: Number(values.churn),
}
const nodes = Number(values.nodes)
const principals = Number(values.principals)
const maxOpen = Number(values['max-open'] ?? principals + 1)

const library = values.part === 'server' ? undefined : await measureLibrary()
const server = values.part === 'library' ? undefined : await inFolder(measureServers)
process.stdout.write(`${JSON.stringify({ ...plan, ...library, ...(server && { server }) }, null, 2)}\n`)

async function measureLibrary() {
  const floor = await measured('floor')
  const ours = await measured('ours')
  const verdicts = judge(ours)
  process.stderr.write(`${figureLines(ours, floor, verdicts).join('\n')}\n`)
  return { ours, floor, verdicts }
}

/** Each side has files that nobody has written to. */
function measured(side: string): Promise<Figures> {
  return inFolder(async (folder) => {
    process.stderr.write(`${side}: making ${plan.spaces} files…\n`)
    await makeSpaces(folder, { spaces: plan.spaces, nodes })
    const given: Plan = { folder, ...plan }
    return child(join(import.meta.dirname, 'spaces', `${side}.ts`), [JSON.stringify(given)])
  })
}

/** Those of the second server are others than those of the first: nobody has written to them. */
async function measureServers(folder: string) {
  const used = plan.active + plan.churn + 1
  process.stderr.write(`server: making ${plan.spaces} spaces…\n`)
  const drawn = drawSpaces({ ...plan, active: used, churn: principals + 1 })
  const { dir, keyed } = await makeTeamFolder(folder, { spaces: plan.spaces, nodes, used: drawn })
  const active = await measureServer({ dir, ...plan, keyed: keyed.slice(0, used) })
  const open =
    principals === 0
      ? undefined
      : await measureServer({
          ...{ dir, keyed: keyed.slice(used), active: principals, rounds: 1, maxOpen },
        })
  const verdicts = [...judgeServer(active), ...(open ? judgePrincipals(open, principals) : [])]
  const sides = [
    { name: `${plan.active} active`, figures: active },
    ...(open ? [{ name: `${principals} principals`, figures: open }] : []),
  ]
  process.stderr.write(`${[...serverLines(sides), ...verdictLines(verdicts)].join('\n')}\n`)
  return { active, ...(open && { principals: open }), verdicts }
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
