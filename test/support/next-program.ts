import { spawnSync } from 'node:child_process'
import { cpSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnvironment, type Ended, type RunOptions } from './cli.ts'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

export type NextProgram = (args: string[], options: Pick<RunOptions, 'cwd' | 'input'>) => Ended

/** The next version of the program: a copy of the sources in `folder`, with one more migration. */
export function createNextProgram(folder: string, migration: string): NextProgram {
  for (const part of ['src', 'package.json'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  addMigration(join(folder, 'src/store/sqlite/migrations'), migration)
  const main = join(folder, 'src/cli/main.ts')
  return (args, options) => {
    const run = spawnSync(process.execPath, [main, ...args], {
      ...options,
      env: cleanEnvironment({}),
      encoding: 'utf8',
    })
    if (run.error) throw run.error
    return { code: run.status, stdout: run.stdout, stderr: run.stderr }
  }
}

function addMigration(folder: string, sql: string): void {
  renameSync(join(folder, 'index.ts'), join(folder, 'released.ts'))
  writeFileSync(
    join(folder, 'index.ts'),
    `import { migrations as released, schemaAfter } from './released.ts'
export { FIRST_SCHEMA, migrationsUpTo, schemaAfter } from './released.ts'
export const migrations = [...released, ${JSON.stringify(sql)}]
export const NEWEST_SCHEMA = schemaAfter(migrations)
`,
  )
}
