/** Compile a folder of notes and look at what came of it: first the tree, then the text of one node. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ForestNode, openMemory } from '../src/index.ts'

const folder = await mkdtemp(join(tmpdir(), 'remindb-example-'))
await writeFile(
  join(folder, 'deploys.md'),
  `# Deploys

We deploy on weekdays. Fridays only before noon.

- build
- run the smoke test
- ship

## When it goes wrong

\`\`\`sh
make rollback
\`\`\`
`,
)

{
  await using memory = await openMemory({ db: folder })
  const { added, files } = await memory.compile(folder)
  console.log(`${files.changed} file, ${added} nodes`)

  const { roots } = await memory.forest()
  roots.forEach(print)

  // The labels are enough to choose; the newest version of a node has its text.
  const [deploys] = roots
  const [versions] = (await memory.history({ id: deploys?.children[0]?.id ?? '', limit: 1 })).items
  console.log(`\n${versions?.new?.text}`)
}
await rm(folder, { recursive: true })

function print({ type, label, depth, tokens, children }: ForestNode): void {
  console.log(`${'  '.repeat(depth)}${type}: ${label} (${tokens} tokens)`)
  children.forEach(print)
}
