import { expect, test } from 'vitest'
import type { ScanReads } from '../port/scan.ts'
import { pagesOf } from './stored-pages.ts'

/** A table that returns the same full page for any key. */
function stuckAt(key: number): Pick<ScanReads, 'scan'> {
  const scan = async (_: string, { limit }: { limit: number }) =>
    Array.from({ length: limit }, () => ({ key, digest: '', references: 1, text: '' }))
  return { scan: scan as unknown as ScanReads['scan'] }
}

test.each([
  ['too large for JavaScript', 2 ** 60],
  ['that does not increase', 7],
])('a key %s stops the read of its table', async (_, key) => {
  const read = async () => {
    for await (const page of pagesOf(stuckAt(key), 'texts')) expect(page.length).toBeGreaterThan(0)
  }
  await expect(read()).rejects.toThrow('texts has a row whose key is out of range')
})
