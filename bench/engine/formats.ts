/** Child of `bench/engine.ts`: how fast each format is compiled, beside its parser alone on the same texts. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '../../src/index.ts'
import { findParser, type Parser } from '../../src/ingest/parsers.ts'
import { createRedactor } from '../../src/ingest/redact/redactor.ts'
import { TEXTS, writeTexts } from './format-texts.ts'
import { median, timed } from './timing.ts'

const RUNS = 3

interface FormatRun {
  format: string
  bytes: number
  nodes: number
  compileMs: number
  /** The parser with all it does for a compile: white space, redaction, splitting. */
  parseMs: number
}

const results: FormatRun[] = []
for (const format of Object.keys(TEXTS)) results.push(await measure(format))
process.stdout.write(JSON.stringify(results))

async function measure(format: string): Promise<FormatRun> {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
  try {
    const notes = join(folder, 'notes')
    const texts = writeTexts(notes, format)
    const runs: { compileMs: number; nodes: number }[] = []
    const parses: number[] = []
    for (let run = 0; run < RUNS; run++) {
      runs.push(await compileOnce(notes, join(folder, `${run}.db`)))
      parses.push(await parseAll(format, texts))
    }
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    const compileMs = median(runs.map((one) => one.compileMs))
    return { format, bytes, nodes: runs[0]?.nodes ?? 0, compileMs, parseMs: median(parses) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compileOnce(notes: string, db: string): Promise<{ compileMs: number; nodes: number }> {
  await using memory = await openMemory({ db, settings: { author: 'bench' } })
  const compileMs = await timed(() => memory.compile(notes))
  return { compileMs, nodes: (await memory.overview()).nodes.total }
}

async function parseAll(format: string, texts: readonly string[]): Promise<number> {
  const parse = await (findParser(`a.${format}`) as Parser).load()
  const { redact, findKeys } = await createRedactor({})
  return timed(() => {
    for (const text of texts) parse(text, { maxNodeTokens: 1000, redact, findKeys })
  })
}
