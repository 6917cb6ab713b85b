import type { Store } from '../../src/core/port/store.ts'
import { prepareInPlace } from '../../src/core/prepare.ts'
import type { Redact } from '../../src/core/redact.ts'
import { exportMemory } from '../../src/core/transfer/export.ts'
import { type ImportResult, importMemory } from '../../src/core/transfer/import.ts'

/** The same at any time: exports of equal memories are equal. */
export const EXPORTED_AT = 1_700_000_000_000

export async function exportText(store: Pick<Store, 'read'>): Promise<string> {
  let text = ''
  const write = (piece: string): void => {
    text += piece
  }
  await exportMemory({ store, now: () => EXPORTED_AT, write })
  return text
}

export function importText(
  store: Pick<Store, 'write'>,
  text: string | Uint8Array,
  redact: Redact = (same) => same,
): Promise<ImportResult> {
  const prepare = prepareInPlace({ redact, parse: () => [], parseWhole: () => [] })
  return importMemory({ store, redact, prepare, source: piecesOf(text) })
}

/** In pieces that know nothing of lines or characters. */
export async function* piecesOf(text: string | Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
