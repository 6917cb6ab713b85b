/**
 * Tokens an agent spends on three small projects with remindb, beside list, read and grep. The table goes to stderr, JSON to
 * stdout. `npm run bench -- tokens`; `remindb bench --dir <folder>` does the same for a folder of yours.
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runBench } from '../src/cli/bench/run.ts'
import { benchLines } from '../src/cli/layout/bench.ts'
import { createPalette } from '../src/util/terminal/color.ts'

/** Questions that the notes answer, in words of somebody who has not read them. */
const PROJECTS: Record<string, string[]> = {
  'ferry-booking': [
    'gates offline ticket list signed',
    'payment provider down reservation mode',
    'double sold spaces holds expiry',
  ],
  'pipeline-agent': [
    'meter exchanged encryption key quarantine',
    'bulk loader rows cut off',
    'leak night flow threshold district',
  ],
  'seed-vault': [
    'compressor alarm cold room temperature',
    'poppies cold spell germination',
    'customs certificate latin name synonym',
  ],
}

const folder = join(dirname(fileURLToPath(import.meta.url)), 'tokens', 'fixtures')
const palette = createPalette(process.stderr.isTTY === true)
const projects: Record<string, unknown> = {}
for (const [name, queries] of Object.entries(PROJECTS)) {
  const report = await runBench({ folder: join(folder, name), queries })
  process.stderr.write(`\n${name}: ${benchLines(report, palette).join('\n')}\n`)
  projects[name] = report
}
process.stdout.write(`${JSON.stringify({ projects }, null, 2)}\n`)
