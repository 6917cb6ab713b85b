import { expect, test } from 'vitest'
import { files } from './files.ts'
import type { FileRow, Store } from './port/store.ts'

function storeOf(rows: FileRow[]): Store {
  const tx = { listFiles: async () => rows }
  return { read: (fn: (tx: never) => unknown) => fn(tx as never) } as unknown as Store
}

test('groups by root as shown, sorted, what has none last, and shows the locked keys only', async () => {
  const row = (root: string, path: string): FileRow => ({ root, path, kind: 'source', nodes: 1, tokens: 2 })
  const store = storeOf([row('.', 'a.md'), row('/ext', 'z.md'), row('', 'mcp:write'), row('.', 'b.md')])
  const shown = await files(store, (root) => (root === '.' ? '/home' : root))
  expect(JSON.stringify(shown)).toBe(
    JSON.stringify({
      roots: [
        { root: '/ext', files: [{ path: 'z.md', nodes: 1, tokens: 2 }] },
        {
          root: '/home',
          files: [
            { path: 'a.md', nodes: 1, tokens: 2 },
            { path: 'b.md', nodes: 1, tokens: 2 },
          ],
        },
        { root: '', files: [{ path: 'mcp:write', nodes: 1, tokens: 2 }] },
      ],
    }),
  )
})
