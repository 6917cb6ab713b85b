import type { Space } from '../../core/accounts/model.ts'
import { getSpace } from './find-space.ts'
import { clearUnlisted, noteUnlisted, removeFiles, removeLeftovers, type SpacesDeps } from './unlisted.ts'

/** Its row first: from then on nobody can open it. A process that dies meanwhile leaves files that the next one removes. */
export async function deleteSpace(deps: SpacesDeps, name: string): Promise<Space> {
  const { dir, accounts } = deps
  await removeLeftovers(deps)
  const { id } = await getSpace(accounts, name)
  noteUnlisted(dir, id)
  const deleted = await accounts.spaces.delete(name)
  // Renamed meanwhile, and another has the name: that one was deleted.
  if (deleted.id !== id) {
    clearUnlisted(dir, id)
    noteUnlisted(dir, deleted.id)
  }
  removeFiles(dir, deleted.id)
  clearUnlisted(dir, deleted.id)
  return deleted
}
