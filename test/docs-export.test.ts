import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../src/index.ts'
import { parsePage, ROOT } from './support/docs.ts'
import { piecesOf } from './support/transfer.ts'

const NOW = 1_700_000_000_000

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-docs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The memory that the page shows, at a time that does not pass. */
async function exportTea(): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'tea.md'), '# Tea\n\nGreen, at 80 degrees.\n')
  await using memory = await openMemory({ db: folder, now: () => NOW, settings: { author: 'cli' } })
  await memory.compile(folder, { message: 'compile:.' })
  let text = ''
  await memory.export((piece) => {
    text += piece
  })
  return text.replace(/(?<="\w+_at":)\d+/g, String(NOW))
}

test('the lines that the page shows are those of an export, and can be imported', async () => {
  const page = parsePage(readFileSync(join(ROOT, 'docs/how-to/export-and-import.md'), 'utf8'))
  const shown = page.fences.find(({ info }) => info === 'jsonl')?.content ?? ''
  // What a document's digest is of depends on the parser, which the page does not tell.
  const withoutDigest = (text: string): string => text.replace(/(?<="digest":")\w{32}/, '')
  expect(withoutDigest(shown)).toBe(withoutDigest(await exportTea()))
  await using memory = await openMemory({ db: temporaryFolder() })
  expect(await memory.import(piecesOf(shown))).toMatchObject({ documents: 1, nodes: 2, versions: 2 })
})

test('the page has a row for every kind of line', async () => {
  const [table] = parsePage(readFileSync(join(ROOT, 'docs/how-to/export-and-import.md'), 'utf8')).tables
  const kinds = [...(await exportTea()).matchAll(/^\{"(\w+)"/gm)].map(([, kind]) => kind)
  for (const kind of new Set(kinds))
    expect(table?.rows.flat().join(' ')).toContain(kind === 'remindb' ? 'header' : kind)
})
