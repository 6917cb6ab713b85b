/** Child of `bench/serve.ts`: stores Markdown values, each as long as told, one after the other. */
import { createHttpClient } from './http-client.ts'

const WORDS = ['harbour', 'ledger', 'quarter', 'signal', 'winter', 'bridge', 'copper', 'meadow']
const PARAGRAPH = 250

const [url = '', count = '0', bytes = '0'] = process.argv.slice(2)
const client = createHttpClient(url, 1)
const values = Array.from({ length: Number(count) }, (_, at) => markdown(at, Number(bytes)))
process.stdout.write('made\n')
for (const [at, value] of values.entries())
  await client.call('tools/call', { name: 'remember', arguments: { key: `long-${at}`, value } })
client.close()

/** Sections of ten paragraphs. */
function markdown(seed: number, length: number): string {
  const parts: string[] = []
  let written = 0
  for (let at = 0; written < length; at++) {
    const part = `${at % 10 === 0 ? `## Section ${seed}.${at}\n\n` : ''}${paragraph(seed * 7919 + at)}\n\n`
    parts.push(part)
    written += part.length
  }
  return parts.join('').slice(0, length)
}

function paragraph(seed: number): string {
  let text = `Entry ${seed}:`
  for (let at = seed; text.length < PARAGRAPH; at = (at * 31 + 7) % 1_000_003)
    text += ` ${WORDS[at % WORDS.length]}`
  return `${text}.`
}
