/**
 * Which files one call runs through, from the server to the engine: what a newcomer has to read to follow it.
 * `npm run bench -- path [--source <checkout>] [--list]`: a table on stderr, JSON on stdout. With `--source` another checkout of this
 * repository is measured.
 */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { table } from './engine/table.ts'
import { CALLS, type CalledTool, passedByCall } from './path/passed-by-call.ts'
import { type Passed, sumByLayer } from './path/passed-files.ts'

const { values } = parseArgs({
  options: {
    source: { type: 'string', default: join(import.meta.dirname, '..') },
    list: { type: 'boolean', default: false },
  },
})
const sources = join(resolve(values.source), 'src')

const report: Record<string, Passed[]> = {}
for (const tool of Object.keys(CALLS) as CalledTool[]) {
  const passed = await passedByCall(tool, sources)
  report[tool] = passed
  process.stderr.write(`${tool}\n${layerTable(passed).join('\n')}\n`)
  if (values.list) process.stderr.write(`${passed.map(({ file }) => `  ${file}`).join('\n')}\n`)
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)

function layerTable(passed: Passed[]): string[] {
  return table(sumByLayer(passed), {
    layer: ({ layer }) => layer,
    files: ({ files }) => files,
    functions: ({ functions }) => functions,
  })
}
