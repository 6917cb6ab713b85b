/** Writes the generated tables of docs/reference/. Started by `scripts/docs.mjs`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { GENERATED_PAGES, regenerate } from './pages.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const { check: isCheck } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values
let outdated = 0

for (const path of Object.keys(GENERATED_PAGES)) {
  const file = join(ROOT, path)
  const before = readFileSync(file, 'utf8')
  const after = await regenerate(path, before)
  if (after === before) continue
  outdated += 1
  console.log(`${isCheck ? 'out of date' : 'written'}: ${path}`)
  if (!isCheck) writeFileSync(file, after)
}
if (outdated === 0) console.log('the generated tables are up to date')
process.exitCode = isCheck && outdated > 0 ? 1 : 0
