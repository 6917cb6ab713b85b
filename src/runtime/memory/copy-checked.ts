import { MemoryError } from '../../core/errors.ts'
import { openSqlite } from '../../store/sqlite/engine.ts'
import { copyDatabase, removeDatabase } from '../../store/sqlite/health/copy.ts'
import { loadXxh64 } from '../../util/text/xxh64.ts'

/**
 * Copies a memory that is only read, and runs every check of doctor on the copy. Throws if it is not a memory, is from a
 * newer remindb, or a check fails; then no copy is left. `name` is its name in messages. `isNewest`: its schema is the
 * newest one.
 */
export async function copyChecked(
  file: string,
  copy: string,
  { name }: { name: string },
): Promise<{ isNewest: boolean }> {
  try {
    const { isNewest } = copyDatabase(file, copy)
    // An older one is checked after it was migrated, like any other.
    if (isNewest) await refuseFailing(copy)
    return { isNewest }
  } catch (error) {
    removeDatabase(copy)
    throw error instanceof MemoryError ? about(name, error) : error
  }
}

async function refuseFailing(file: string): Promise<void> {
  const engine = await openSqlite({ file, hash: await loadXxh64(), readOnly: true })
  try {
    const failed = (await engine.maintenance.check()).filter(({ status }) => status === 'fail')
    if (failed.length > 0)
      throw new MemoryError(
        'CORRUPTED_DATA',
        `it fails checks of doctor (${failed.map((check) => check.name).join(', ')}); \`remindb doctor --db\` shows them, and --fix repairs it`,
      )
  } finally {
    await engine.close()
  }
}

function about(name: string, error: MemoryError): MemoryError {
  return new MemoryError(error.code, `${name}: ${error.message}`, { cause: error })
}
