/** Child of `bench/doors.ts`: fills a memory, many documents in a transaction. */
import { prepareText, putText, type TextPut } from '../../src/core/doors/put-text.ts'
import type { ParseText } from '../../src/core/prepare.ts'
import { mutate, snapshotOperation } from '../../src/core/write/operation.ts'
import { parseNote } from '../../src/ingest/parse/markdown/note.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { loadXxh64 } from '../../src/util/text/xxh64.ts'
import { CORE, DOORS, FILES, filePath, keyName, recordId, tagsOf, textOf } from './corpus.ts'

const BATCH = 1000
const [file = '', given = '0'] = process.argv.slice(2)
const count = Number(given)
const hash = await loadXxh64()
const engine = await openSqlite({ file, hash, create: true, synchronous: 'normal', writer: 'here' })
const redact = (text: string): string => text
const options = { maxNodeTokens: 1000, redact, findKeys: () => [] }
const parse: ParseText = (text, levels) => parseNote(text, { ...options, ...(levels ? { levels } : {}) })
const tools = { redact, parse, parseWhole: parse }
const deps = { store: engine.store, hash, redact, author: 'bench', now: Date.now }
const putAll = snapshotOperation('bench', async (context, puts: TextPut[]) => {
  for (const put of puts) await putText(context, put)
})
for (let from = 0; from < count; from += BATCH) {
  const input = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => putAt(from + at))
  await mutate(deps, putAll, { operation: 'import', message: 'bench', input })
}
await engine.close()
process.stdout.write('{}')

function putAt(at: number): TextPut {
  const text = prepareText.run(tools, { text: textOf(at) })
  const tags = tagsOf(at)
  switch (DOORS[at % DOORS.length]) {
    case 'key':
      return {
        ...{ address: { kind: 'key', key: keyName(at) }, attributes: { tags, client: 'bench' } },
        ...prepareText.run(tools, { text: textOf(at), heading: keyName(at) }),
      }
    case 'record':
      return {
        address: { kind: 'record', id: recordId(at) },
        ...text,
        attributes: recordAttributes(at, tags),
      }
    default:
      return { address: { kind: 'file', ...FILES, path: filePath(at) }, ...text, attributes: {} }
  }
}

function recordAttributes(at: number, tags: string[]) {
  const type = at < CORE * DOORS.length ? 'core' : 'learning'
  const importance = ['low', 'medium', 'high'][at % 3] ?? 'low'
  return { type, category: 'fact', tags, importance, archived: false }
}
