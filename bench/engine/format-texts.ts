import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encode } from '@toon-format/toon'

const FILES = 100
const SECTIONS = 40

const WORDS =
  'the memory of an agent is a tree of notes that keeps what was learned and forgets what nobody asks for'.split(
    ' ',
  )
const sentence = (at: number): string =>
  `${Array.from({ length: 14 }, (_, word) => WORDS[(at * 7 + word * ((at % 5) + 1)) % WORDS.length]).join(' ')}.`

/** The same sections in every format, as far as it can say them. */
export const TEXTS: Record<string, (file: number) => string> = {
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

/** A folder of files in one format. Returns their texts. */
export function writeTexts(folder: string, format: string): string[] {
  const texts = Array.from({ length: FILES }, (_, at) => (TEXTS[format] as (file: number) => string)(at))
  mkdirSync(folder)
  for (const [at, text] of texts.entries()) writeFileSync(join(folder, `${at}.${format}`), text)
  return texts
}
