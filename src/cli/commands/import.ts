import { createReadStream, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import type { ImportResult } from '../../core/transfer/import.ts'
import type { Memory } from '../../runtime/memory/open-memory.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { createProgress } from '../../util/terminal/progress.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { printable } from '../../util/text/printable.ts'
import { plural } from '../../util/text/units.ts'
import { defineCommand } from '../base/command.ts'
import { chooseNewDatabase, type DatabaseChoice, openNewFor, shortName } from '../base/databases.ts'
import { interruptible, untilAborted } from '../base/interrupt.ts'
import { countsLine } from '../layout/transferred.ts'

const READ_BYTES = 1024 * 1024

export const command = defineCommand({
  parameters: { file: { kind: 'text', help: 'A file that export wrote; - for stdin' } },
  flags: { json: { kind: 'switch', help: 'Print JSON' } },
  examples: ['remindb import memory.jsonl', 'gunzip -c memory.jsonl.gz | remindb import - --db copy.db'],

  async run(context, { parameters: { file }, flags: { json } }) {
    const source = openSource(file, context.cwd)
    const choice = await chooseNewDatabase(context)
    return openNewFor(context, choice, {}, async (memory) => {
      const result = await importWithProgress(memory, source)
      if (json) await writePieces(context.out, jsonPieces(toJson(choice, result)))
      else await writeLines(context.out, linesOf(choice, result))
      return 0
    })
  },
})

function openSource(file: string, cwd: string): AsyncIterable<Uint8Array> {
  if (file === '-') return process.stdin
  const path = resolve(cwd, file)
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw new MemoryError('NOT_FOUND', `there is no file ${file}`)
  if (found.isDirectory())
    throw new MemoryError('INVALID_INPUT', `${file} is a folder; to read its files, use \`remindb compile\``)
  return readBytes(path)
}

/** Opened with the first chunk: a stream that fails before it has an error listener ends the process. */
async function* readBytes(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: READ_BYTES })
}

async function importWithProgress(memory: Memory, source: AsyncIterable<Uint8Array>): Promise<ImportResult> {
  const bar = createProgress({ stream: process.stderr, now: () => performance.now() })
  try {
    return await interruptible('nothing was imported', (signal) =>
      memory.import(untilAborted(source, signal), {
        onProgress: (state) => bar.update({ label: 'importing', ...state }),
      }),
    )
  } finally {
    bar.finish()
  }
}

function linesOf({ file }: DatabaseChoice, result: ImportResult): string[] {
  const { redactions } = result
  return [
    `imported ${countsLine(result)} into ${printable(shortName(file))}`,
    ...(redactions > 0 ? [`redacted: ${plural(redactions, 'text')}`] : []),
  ]
}

function toJson({ file }: DatabaseChoice, result: ImportResult) {
  const { snapshots, documents, nodes, versions, redactions } = result
  return { db_path: file, snapshots, documents, nodes, versions, redactions }
}
