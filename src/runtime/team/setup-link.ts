import { writeFileSync } from 'node:fs'
import type { Accounts } from '../../core/accounts/accounts.ts'
import { PAGE_PATHS } from '../../http/pages/paths.ts'
import { removeSetupFile, setupFile } from '../spaces/setup-file.ts'

/** A link that works once, within half an hour. */
export interface SetupLink {
  link: string
  /** Has it too, for this user of the machine alone. */
  file: string
}

/** A link with which the first administrator is made; undefined where there is one. Its secret is in the fragment, which no proxy logs. */
export async function openSetup(
  { setup }: Accounts,
  { dir, url }: { dir: string; url: string },
): Promise<SetupLink | undefined> {
  const token = await setup.begin()
  removeSetupFile(dir)
  if (token === undefined) return undefined
  const file = setupFile(dir)
  const link = `${url}${PAGE_PATHS.setup}#${token}`
  writeFileSync(file, `${link}\n`, { mode: 0o600, flag: 'wx' })
  return { link, file }
}
