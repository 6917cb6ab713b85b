/** A summary turns out to be wrong: see what it did, then go back. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '../src/index.ts'

const folder = await mkdtemp(join(tmpdir(), 'remindb-example-'))
await writeFile(join(folder, 'limits.md'), '# Limits\n\nThe API allows 100 calls a minute, 1,000 an hour.\n')

{
  await using memory = await openMemory({ db: folder })
  const before = (await memory.compile(folder)).snapshot?.id ?? 0
  const id = (await memory.forest()).roots[0]?.children[0]?.id ?? ''

  const { oldTokens, newTokens } = await memory.summarize({ id, summary: 'The API has no limits.' })
  console.log(`summarized: ${oldTokens} → ${newTokens} tokens`)

  for (const change of (await memory.delta({ since: before })).items) {
    console.log(`- ${change.old?.text}\n+ ${change.new?.text}`)
  }

  const undone = await memory.rollback({ snapshotId: before })
  console.log(`${undone.status} to snapshot ${undone.target}`)

  // Going back is a snapshot like any other: nothing was lost.
  const { items } = await memory.history({ id })
  console.log(items.map((version) => `${version.snapshotId}: ${version.new?.text}`).join('\n'))
}
await rm(folder, { recursive: true })
