import { expect, test } from 'vitest'
import type { Address } from '../model.ts'
import type { DocumentQuery, DocumentShapes } from '../port/documents.ts'
import type { Store } from '../port/store.ts'
import { files } from './files.ts'

type Size = DocumentShapes['size']

function storeOf(rows: Size[]): Store {
  const documents = async ({ kind }: DocumentQuery) => rows.filter(({ address }) => address.kind === kind)
  const tx = { documents }
  return { read: (fn: (tx: never) => unknown) => fn(tx as never) } as unknown as Store
}

test('files are grouped by shown root, sorted, those without one last, with only the locked keys', async () => {
  const size = (address: Address, name: string, nodes = 1): Size => ({
    id: 1,
    address,
    name,
    nodes,
    tokens: 2 * nodes,
  })
  const row = (root: string, path: string, nodes = 1) => size({ kind: 'source', root, path }, path, nodes)
  const note = (id: string) => size({ kind: 'note', id }, 'mcp:write')
  const store = storeOf([
    ...[row('.', 'a.md'), row('/ext', 'empty.md', 0), row('/ext', 'z.md')],
    ...[note('a'), note('b'), row('.', 'b.md')],
  ])
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
        { root: '', files: [{ path: 'mcp:write', nodes: 2, tokens: 4 }] },
      ],
    }),
  )
})
