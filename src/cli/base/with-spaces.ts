import type { Spaces } from '../../runtime/spaces/open-spaces.ts'
import type { Context } from './command.ts'
import { spacesFolder } from './which-memory.ts'

/** Opens the folder of spaces, gives it to `work` and closes it. `create`: makes it where there is none. */
export async function withSpaces<T>(
  context: Context,
  work: (spaces: Spaces, dir: string) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  const dir = spacesFolder(context)
  const { openSpaces } = await import('../../runtime/spaces/open-spaces.ts')
  await using spaces = await openSpaces(dir, { create })
  return await work(spaces, dir)
}
