/** Child of `bench/engine.ts`: how fast each format is compiled, beside its parser alone on the same texts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encode } from '@toon-format/toon'
import { openMemory } from '../../src/index.ts'
import { findParser, type Parser } from '../../src/ingest/parsers.ts'
import { createRedactor } from '../../src/ingest/redact/redactor.ts'
import { median, timed } from './timing.ts'

const FILES = 100
const SECTIONS = 40
const RUNS = 3

interface FormatRun {
  format: string
  bytes: number
  nodes: number
  compileMs: number
  /** The parser with all it does for a compile: white space, redaction, splitting. */
  parseMs: number
}

const WORDS =
  'the memory of an agent is a tree of notes that keeps what was learned and forgets what nobody asks for'.split(
    ' ',
  )
const sentence = (at: number): string =>
  `${Array.from({ length: 14 }, (_, word) => WORDS[(at * 7 + word * ((at % 5) + 1)) % WORDS.length]).join(' ')}.`

/** The same sections in every format, as far as it can say them. */
const TEXTS: Record<string, (file: number) => string> = {
  md: (file) =>
    sections(file, (title, lines) => `## ${title}\n\n${lines[0]}\n\n- ${lines[1]}\n- ${lines[2]}\n`).join(
      '\n',
    ),
  html: (file) =>
    sections(
      file,
      (title, lines) =>
        `<h2>${title}</h2>\n<p>${lines[0]}</p>\n<ul><li>${lines[1]}</li><li>${lines[2]}</li></ul>`,
    ).join('\n'),
  json: (file) => JSON.stringify({ sections: records(file), ...Object.fromEntries(keyed(file)) }, null, 2),
  jsonl: (file) =>
    records(file)
      .map((record) => JSON.stringify(record))
      .join('\n'),
  yaml: (file) =>
    sections(
      file,
      (title, lines) =>
        `"${title}":\n  text: ${lines[0]}\n  first: ${lines[1]}\n  second: ${lines[2]}\n  third: x\n  fourth: y\n`,
    ).join(''),
  toon: (file) => encode({ sections: records(file) }),
}

const results: FormatRun[] = []
for (const format of Object.keys(TEXTS)) results.push(await measure(format))
process.stdout.write(JSON.stringify(results))

function sections<T>(file: number, write: (title: string, lines: string[]) => T): T[] {
  return Array.from({ length: SECTIONS }, (_, at) => {
    const seed = file * SECTIONS + at
    return write(`Section ${seed}`, [sentence(seed), sentence(seed + 1), sentence(seed + 2)])
  })
}

function records(file: number) {
  return sections(file, (title, [text = '', first = '', second = '']) => ({
    title,
    text,
    first,
    second,
    count: file * 1000,
  }))
}

function keyed(file: number) {
  return sections(
    file,
    (title, lines) => [title, { a: lines[0], b: lines[1], c: lines[2], d: 4, e: true }] as const,
  )
}

async function measure(format: string): Promise<FormatRun> {
  const folder = mkdtempSync(join(tmpdir(), 'remindb-bench-'))
  try {
    const texts = Array.from({ length: FILES }, (_, at) => (TEXTS[format] as (file: number) => string)(at))
    const notes = join(folder, 'notes')
    mkdirSync(notes)
    for (const [at, text] of texts.entries()) writeFileSync(join(notes, `${at}.${format}`), text)
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
