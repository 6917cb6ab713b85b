import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { expectSound, openIn, temporaryFolder } from '../support/engine.ts'
import { openKeys } from '../support/keys.ts'
import { importText, piecesOf } from '../support/transfer.ts'
import { openEmpty } from '../support/transfer-history.ts'

type Row = Record<string, unknown>
type Line = Record<string, Row>

/** The lines of a memory with keys that are redacted, there, forgotten, and forgotten after they were redacted. */
let whole: Line[]
beforeEach(async () => {
  whole ??= await exportedLines()
})

async function exportedLines(): Promise<Line[]> {
  await using at = await openKeys()
  for (const key of ['redacted', 'there', 'forgotten', 'again'])
    await at.text('remember', { key, value: key })
  await at.text('remember', { key: 'there', value: 'still there' })
  await at.text('redact_memory', { key: 'redacted' })
  await at.text('redact_memory', { key: 'again' })
  for (const key of ['forgotten', 'again']) await at.text('forget', { key })
  await at.text('remember', { key: 'again', value: 'anew' })
  let text = ''
  await at.memory.export((piece) => {
    text += piece
  })
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** The export with other fields in one line of the document of a key. */
function edited(key: string, kind: string, fields: Row): string {
  let isIts = false
  let isDone = false
  const lines = whole.map((line) => {
    if (line.document) isIts = (line.document.address as Row).key === key
    const row = isIts && !isDone ? line[kind] : undefined
    if (!row) return line
    isDone = true
    return { [kind]: { ...row, ...fields } }
  })
  expect(isDone).toBe(true)
  return text(lines)
}

function text(lines: Line[]): string {
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
}

async function refusal(file: string): Promise<{ code: string; message: string }> {
  const { store, close } = await openEmpty()
  onTestFinished(close)
  return importText(store, file).then(
    () => ({ code: 'none', message: 'imported' }),
    (thrown) => thrown,
  )
}

const DOOR = { attributes: {}, appended: false, accesses: 0, accessed_at: null }
const REDACTED_AT = { attributes: { tags: [], redacted_at: 1 }, lead: null, trail: null }
const HEADING = { parent_key: null, position: 'a0', type: 'heading', format: 'plain', label: null }

test.each<[string, string, string, Row, RegExp]>([
  [
    'a tombstone turned into a live key',
    'redacted',
    'document',
    { state: 'live' },
    /not erased and has a redacted_at/,
  ],
  [
    'a tombstone turned into a live key without its time',
    'redacted',
    'document',
    { state: 'live', door: DOOR },
    /newest .* does not match its state/,
  ],
  [
    'a tombstone turned into a forgotten key',
    'redacted',
    'document',
    { state: 'removed', door: DOOR },
    /newest .* does not match its state/,
  ],
  ['a live key turned into a tombstone', 'there', 'document', { state: 'erased' }, /still has a text/],
  [
    'a tombstone whose history lives',
    'redacted',
    'document_version',
    { state: 'live', door: { ...REDACTED_AT, attributes: {} } },
    /is erased, but .* earlier content/,
  ],
  [
    'a live key that was redacted',
    'there',
    'document',
    { door: { ...DOOR, attributes: { redacted_at: 1 } } },
    /document is not erased and has a redacted_at/,
  ],
  [
    'a state of a live key that was redacted',
    'there',
    'document_version',
    { door: REDACTED_AT },
    /document_version is not erased and has a redacted_at/,
  ],
  ['a tombstone whose node lives', 'redacted', 'node', { removed: null }, /node of an erased document/],
  [
    'a tombstone whose node has a text',
    'redacted',
    'version',
    { op: 'mod', state: { ...HEADING, text: 'secret', links: [] } },
    /node of an erased document/,
  ],
])('refuses %s', async (_, key, kind, fields, message) => {
  const error = await refusal(edited(key, kind, fields))
  expect(error).toMatchObject({ code: 'INVALID_INPUT' })
  expect(error.message).toMatch(message)
  expect(error.message).toMatch(/^line \d+: .*nothing was imported$/)
})

test('refuses a tombstone that was turned into a live key with all its history', async () => {
  const lines = whole.map((line) => {
    const { document, document_version: version } = line
    if (document && (document.address as Row).key === 'redacted')
      return { document: { ...document, state: 'live', door: { ...(document.door as Row), attributes: {} } } }
    return version?.state === 'erased' ? {} : line
  })
  const kept = lines.filter((line) => Object.keys(line).length > 0)
  const counts = { ...whole[0]?.counts, document_versions: 0 }
  counts.document_versions = kept.filter((line) => line.document_version).length
  const error = await refusal(text([{ ...whole[0], counts } as Line, ...kept.slice(1)]))
  expect(error.message).toMatch(/document is live and has neither text nor history/)
})

test('takes what nobody changed', async () => {
  await using copy = await openIn(temporaryFolder())
  await copy.import(piecesOf(text(whole)))
  expect(await copy.keys.recall('redacted')).toMatchObject({ kind: 'redacted' })
  expect(await copy.keys.recall('there')).toMatchObject({ text: 'still there' })
  expect(await copy.keys.recall('again')).toMatchObject({ text: 'anew' })
  await expectSound(copy)
})
