import { rmSync } from 'node:fs'
import { join } from 'node:path'

/** Has the link for setting a server up, until there is an administrator. */
export function setupFile(dir: string): string {
  return join(dir, 'setup-link')
}

export function removeSetupFile(dir: string): void {
  rmSync(setupFile(dir), { force: true })
}
