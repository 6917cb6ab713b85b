/** A secret got into a note. Forgetting it would leave it in history; erasing takes it out of the file. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '../src/index.ts'

const SECRET = 'correct-horse-battery'
const folder = await mkdtemp(join(tmpdir(), 'remindb-example-'))
const file = join(folder, 'access.md')
await writeFile(file, `# Access\n\nThe password is ${SECRET}.\n`)

{
  await using memory = await openMemory({ db: folder })
  await memory.compile(folder)
  await writeFile(file, '# Access\n\nThe password is in the vault.\n')
  await memory.compile(folder)
  console.log(`after editing the file, still in the database: ${await isOnDisk()}`)

  const [root] = (await memory.files()).roots
  console.log(`documents: ${root?.files.map(({ path }) => path).join(', ')}`)
  const erased = await memory.erase({ kind: 'source', root: '.', path: 'access.md' })
  console.log(
    `erased ${erased.nodes} nodes, overwritten: ${erased.scrubbed}, backups: ${erased.backups.length}`,
  )
  console.log(`after erasing, still in the database: ${await isOnDisk()}`)

  // The file is yours: it stays, and is not compiled again.
  const [skipped] = (await memory.compile(folder)).skipped
  console.log(`${skipped?.path} ${skipped?.reason}`)
}
await rm(folder, { recursive: true })

/** Looks through the bytes of everything the memory keeps. */
async function isOnDisk(): Promise<boolean> {
  const state = join(folder, '.remindb')
  const contents = await Promise.all((await readdir(state)).map((name) => readFile(join(state, name))))
  return contents.some((bytes) => bytes.includes(SECRET))
}
