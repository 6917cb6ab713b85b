/**
 * How far the token estimate is from a real tokenizer (cl100k), block by block, on folders of Markdown.
 * `npm run bench -- tokenizer <folder>…` (default: docs). Needs `npm install --no-save gpt-tokenizer` first: 30 MB that
 * nothing else here uses.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Block } from '../src/core/model.ts'
import { estimateTokens } from '../src/core/tokens.ts'
import { parseMarkdown } from '../src/ingest/parse/markdown/markdown.ts'

const folders = process.argv.length > 2 ? process.argv.slice(2) : ['docs']
const count = await loadTokenizer()
const rows = folders.map((folder) => measure(folder))
process.stdout.write(`${JSON.stringify({ rows }, null, 2)}\n`)

async function loadTokenizer(): Promise<(text: string) => number> {
  const name = 'gpt-tokenizer/encoding/cl100k_base'
  try {
    const { encode } = (await import(name)) as { encode: (text: string) => number[] }
    return (text) => encode(text).length
  } catch {
    process.stderr.write('the tokenizer is not installed; run `npm install --no-save gpt-tokenizer` first\n')
    return process.exit(1)
  }
}

function measure(folder: string) {
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) =>
      textsOf(
        parseMarkdown(readFileSync(join(folder, name), 'utf8'), {
          maxNodeTokens: 1000,
          redact: String,
          findKeys: () => [],
        }),
      ),
    )
    .filter((text) => text !== '')
  const real = texts.map(count)
  const estimated = texts.map(estimateTokens)
  const errors = real
    .map((tokens, at) => Math.abs((estimated[at] as number) - tokens) / tokens)
    .sort((a, b) => a - b)
  return {
    folder,
    blocks: texts.length,
    cl100k: sum(real),
    estimated: sum(estimated),
    ratio: sum(estimated) / sum(real),
    medianError: errors[Math.floor(errors.length / 2)],
  }
}

function textsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => [block.text, ...textsOf(block.children)])
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
