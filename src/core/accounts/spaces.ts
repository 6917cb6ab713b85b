import type { AccountEvent } from '../audit/event-names.ts'
import { recordAccount, recordLeaving } from './audit.ts'
import { type AccountDeps, createId } from './deps.ts'
import type { Space } from './model.ts'
import { checkSpaceName, getSpace } from './names.ts'
import { nameTaken } from './port.ts'

/** The spaces of a server, as accounts know them. Their memories are separate files, named by the id. */
export function createSpaces(deps: AccountDeps) {
  const { store, now } = deps
  const record = recordAccount(deps)

  /** `prepare` creates the files of the space before it becomes visible. */
  async function create(
    name: string,
    prepare: (id: string) => Promise<void> = async () => undefined,
  ): Promise<Space> {
    checkSpaceName(name)
    if (await find(name)) throw nameTaken('space', name)
    const space: Space = { id: createId(deps), name, createdAt: now(), archivedAt: null }
    await prepare(space.id)
    await store.write(async (tx) => {
      await tx.putSpace(space)
      await record(tx, 'space_created', { kind: 'space', id: space.id })
    })
    return space
  }

  function find(name: string): Promise<Space | undefined> {
    return store.read((tx) => tx.space({ name }))
  }

  function change(name: string, event: AccountEvent, change: (space: Space) => Space): Promise<Space> {
    return store.write(async (tx) => {
      const space = change(await getSpace(tx, name))
      await tx.putSpace(space)
      await record(tx, event, { kind: 'space', id: space.id })
      return space
    })
  }

  return {
    create,
    list: (): Promise<Space[]> => store.read((tx) => tx.spaces()),
    find,
    async rename(name: string, to: string): Promise<Space> {
      checkSpaceName(to)
      return change(name, 'space_renamed', (space) => ({ ...space, name: to }))
    },
    /** Its keys stop working until it is unarchived. It keeps its name. */
    archive: (name: string): Promise<Space> =>
      change(name, 'space_archived', (space) => ({ ...space, archivedAt: space.archivedAt ?? now() })),
    unarchive: (name: string): Promise<Space> =>
      change(name, 'space_unarchived', (space) => ({ ...space, archivedAt: null })),
    /** Deletes its members and keys too. Returns the deleted space: its id names its files. */
    delete: (name: string): Promise<Space> =>
      store.write(async (tx) => {
        const space = await getSpace(tx, name)
        await recordLeaving(tx, { spaceId: space.id }, record)
        await tx.removeSpace(space.id)
        await record(tx, 'space_deleted', { kind: 'space', id: space.id })
        return space
      }),
  }
}
