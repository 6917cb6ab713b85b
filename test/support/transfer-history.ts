import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '../../src/core/port/store.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { openWorkspace } from './engine.ts'
import { hash } from './store-changes.ts'

export const SECRET = 'hunter2-hunter2'

let exported: Promise<string> | undefined

/** The export of a memory with a bit of everything, and a secret in every place that has text. Made once in a process. */
export function exportedHistory(): Promise<string> {
  exported ??= exportHistory()
  return exported
}

async function exportHistory(): Promise<string> {
  await using at = await openWorkspace()
  const { memory, folder } = at
  at.file(
    'a.md',
    `# Title ${SECRET}\n\nText ${SECRET} with [[Title ${SECRET}; source=${SECRET}.md]].\n\n- item\n`,
  )
  at.file('b.md', '# Other\n\nErased later.\n\n## Below\n\n```js\nlet x\n```\n')
  await memory.compile(folder, { message: `with ${SECRET}` })
  const note = await memory.write({ payload: `# Note\n\nA note with ${SECRET}.` })
  const [title] = (await memory.forest()).roots
  const [paragraph, list] = title?.children ?? []
  await memory.write({ parent: title?.id ?? '', payload: 'Under a title.' })
  await memory.write({ anchor: paragraph?.id ?? '', payload: `Edited, still ${SECRET}.` })
  await memory.summarize({ id: title?.id ?? '', summary: 'In short' })
  await memory.forget({ id: list?.id ?? '' })
  await memory.pin({ id: note.id, temperature: 0.75 })
  await memory.erase({ kind: 'source', root: '.', path: 'b.md' })
  await memory.write({ anchor: note.id, payload: '# Note again' })
  await memory.rollback({ snapshotId: 2 })
  await memory.rollback({ snapshotId: 6, dropAfter: true })
  await memory.write({ payload: 'The last word.' })
  let text = ''
  await memory.export((piece) => {
    text += piece
  })
  return text
}

/** An engine over a database of its own, which is gone when it is closed. */
export async function openEmpty(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-transfer-'))
  const file = join(folder, 'memory.db')
  const engine = await openSqlite({ file, hash, create: true, synchronous: 'normal' })
  return {
    ...engine,
    async close() {
      await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
