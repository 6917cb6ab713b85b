import { expect } from 'vitest'
import { redactionMarker } from '../../src/core/redact.ts'
import type { Workspace } from './engine.ts'
import { FILES, SECRET, SPLIT } from './secret-files.ts'

export const MARKER = redactionMarker('github_pat')

/** A way in, with the secret in every argument that takes text. */
export type Path = (workspace: Workspace, id: string) => Promise<unknown>

export async function refused(call: Promise<unknown>): Promise<void> {
  await expect(call).rejects.toThrow()
}

/** The ways in through keys and files. */
export const DOOR_WRITES = {
  memoryNode: {
    'a file': async ({ memory }) => {
      const files = memory.memoryNode({ id: 'M', scope: 'global' }).getMemoryService()
      await files.append('/f', `first ${SECRET}`)
      await files.append('/f', `then ${SECRET}`)
      expect(await files.update('/f', `then ${SECRET}`, `now ${SECRET}`)).toBe(1)
      expect(await files.read('/f')).toBe(`first ${MARKER}\nnow ${MARKER}`)
      // What only markup makes a secret of is not looked for in a text that is kept as it is.
      for (const extension of ['.md', '.yaml', '.json', '.jsonl', '.toon'])
        await files.append('/all', (FILES[extension] ?? '').replaceAll(SPLIT, ''))
    },
    'what is no file': async ({ memory }) => {
      const node = (id: string) => memory.memoryNode({ id, scope: 'perThread' })
      expect(() => node(SECRET)).toThrow('looks like a secret')
      expect(() => node('M').getMemoryService({ threadId: SECRET })).toThrow('looks like a secret')
      const files = node('M').getMemoryService({ threadId: 't' })
      await refused(files.append(`/d/${SECRET}/f`, 'x'))
      await refused(files.update(`/${SECRET}`, SECRET, SECRET))
      await refused(files.delete(`/${SECRET}`))
    },
  },
  keys: {
    'a key that is refused': async ({ memory }) => {
      await refused(memory.keys.remember({ key: `k ${SECRET}`, value: `${SECRET}\n`, tags: [SECRET] }))
      await refused(memory.keys.recall(SECRET))
      await memory.keys.remember({ key: 'k', value: `${SECRET}\n`, tags: [SECRET] })
    },
    'a value that is stored, kept, replaced and restored': async ({ memory }) => {
      const key = 'k'
      await memory.keys.rememberIfAbsent({ key, value: SECRET, tags: [SECRET] })
      await memory.keys.rememberIfAbsent({ key, value: SECRET })
      await memory.keys.remember({ key, value: `other ${SECRET}` })
      const [version] = (await memory.keys.history(key)).versions
      await memory.keys.restore({ key, versionTimestamp: version?.version_timestamp ?? '' })
      await refused(memory.keys.restore({ key, versionTimestamp: SECRET }))
      await memory.keys.recall(key)
      await memory.keys.forgetAll(SECRET)
    },
    'bytes that are a text': ({ memory }) =>
      memory.keys.rememberBlob({ key: 'k', data: btoa(SECRET), contentType: SECRET, tags: [SECRET] }),
    'a reason': async ({ memory }) => {
      await memory.keys.remember({ key: 'k', value: 'v' })
      await memory.keys.redact({ key: 'k', reason: SECRET })
      await memory.keys.forget('k')
    },
    'a name that is a secret': ({ memory }) => memory.by(SECRET).keys.remember({ key: 'k', value: 'v' }),
    'a search': ({ memory }) => memory.keys.search({ query: SECRET, filterTags: [SECRET] }),
  },
} satisfies Record<string, Record<string, Path>>
