/** How many secrets redaction finds, and how often it alters what has none. Started by `eval/main.ts`. */
import { createRedactor } from '../../src/ingest/redact/redactor.ts'
import { readRows, SETS, type SetName } from './corpus.ts'
import { type Figures, type Measured, measure } from './measure.ts'

/** Prints a table, or one line of JSON. `isVerbose` adds what was wrong in the development set; of the other, nobody sees rows. */
export async function evaluateSecrets(options: { json: boolean; isVerbose: boolean }): Promise<string> {
  const { redact } = await createRedactor({})
  const measured = new Map(SETS.map((set) => [set, measure(readRows(set), redact)]))
  if (options.json)
    return JSON.stringify(Object.fromEntries([...measured].map(([set, one]) => [set, totals(set, one)])))
  return [...measured].flatMap(([set, one]) => linesOf(set, one, options.isVerbose)).join('\n')
}

function totals(set: SetName, { wrong, ...figures }: Measured) {
  return set === 'dev' ? { ...figures, wrong } : figures
}

function linesOf(set: SetName, measured: Measured, isVerbose: boolean): string[] {
  const kinds = Object.entries(measured.by_kind)
  const weak = kinds.filter(([, { found, positives, altered }]) => found < positives || altered > 0)
  const shown = isVerbose ? kinds : weak
  const all = line(set, measured)
  return [
    ...(set === SETS[0] ? [HEADER] : ['']),
    all,
    ...shown.map(([kind, figures]) => line(`  ${kind}`, figures)),
    ...(isVerbose && set === 'dev' ? measured.wrong.map((id) => `  wrong: ${id}`) : []),
  ]
}

const WIDTH = 26
const HEADER = `${''.padEnd(WIDTH)}${['secrets', 'found', 'recall', 'others', 'altered', 'false'].map((name) => name.padStart(9)).join('')}`

function line(
  name: string,
  { positives, found, recall, negatives, altered, false_positives }: Figures,
): string {
  const cells = [positives, found, `${recall} %`, negatives, altered, `${false_positives} %`]
  return `${name.padEnd(WIDTH)}${cells.map((cell) => String(cell).padStart(9)).join('')}`
}
