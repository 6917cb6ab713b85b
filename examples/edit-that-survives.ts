/** An agent leaves a note and corrects a line. Both are still there after the folder is compiled again. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '../src/index.ts'

const folder = await mkdtemp(join(tmpdir(), 'remindb-example-'))
const file = join(folder, 'team.md')
await writeFile(file, '# Team\n\nStand-up is at 9:00.\n')

{
  await using memory = await openMemory({ db: folder, settings: { author: 'agent' } })
  await memory.compile(folder)
  const [team] = (await memory.forest()).roots
  const [standUp] = team?.children ?? []
  if (!team || !standUp) throw new Error('the file was not compiled')

  await memory.write({ parent: team.id, payload: 'The team prefers short messages.' })
  await memory.write({ anchor: standUp.id, payload: 'Stand-up is at 9:30 since May.' })

  // The rest of the file changes; the corrected line does not.
  await writeFile(file, '# Team\n\nFive people in two cities.\n\nStand-up is at 9:00.\n')
  const kept = await memory.compile(folder)
  console.log(`conflicts: ${kept.conflicts.length}`)
  await show()

  // Now the line itself changes in the file: the file wins, and says so.
  await writeFile(file, '# Team\n\nFive people in two cities.\n\nStand-up is at 10:00.\n')
  const settled = await memory.compile(folder)
  for (const { path, nodeId, operation, kind } of settled.conflicts) {
    console.log(
      `\nconflict: ${path} ${kind} under the agent's ${operation} of ${nodeId === standUp.id ? 'the line' : nodeId}`,
    )
  }
  await show()

  async function show(): Promise<void> {
    const { roots } = await memory.forest()
    for (const { label } of roots[0]?.children ?? []) console.log(`- ${label}`)
  }
}
await rm(folder, { recursive: true })
