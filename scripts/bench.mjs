// npm run bench -- <name> [args]: runs bench/<name>.ts on the project's Node; without a name, lists them.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, projectNode, ROOT, runAttached, runScript } from './setup.mjs'

await runScript(async () => {
  const [name, ...args] = process.argv.slice(2)
  const known = listBenches()
  if (name === undefined) {
    console.log(known.length > 0 ? known.join('\n') : 'no benchmarks yet: bench/ has no .ts file')
    return 0
  }
  if (!known.includes(name)) {
    console.error(`no benchmark "${name}"; known: ${known.join(', ') || 'none'}`)
    return 2
  }
  await ensureInstalled()
  await ensureBuilt()
  return runAttached(projectNode(), ['--expose-gc', join('bench', `${name}.ts`), ...args])
})

function listBenches() {
  const folder = join(ROOT, 'bench')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('.d.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
}
