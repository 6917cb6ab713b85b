import { slug } from '../link-parts.ts'
import type { LinkReads, LinksFitting } from '../port/links.ts'
import type { FlatBlock } from '../rows/flatten.ts'
import { nameOf } from '../rows/node-writes.ts'

/** Links that depend on a heading with one of these names. */
export function askingForHeadings(names: readonly string[]): LinksFitting {
  const sections = [...new Set(names.map(slug))].filter((section) => section !== '')
  return { named: names, intoFiles: names, toSections: sections }
}

/**
 * Reads the links that may be waiting for new blocks and their ids, before anything is stored: `runOperation` reuses
 * all link reads of an operation at its end, and need not wait for them then.
 */
export async function foreseeLinks(
  tx: Pick<LinkReads, 'links'>,
  blocks: readonly Pick<FlatBlock, 'type' | 'label'>[],
  ids: readonly string[],
): Promise<void> {
  const names = blocks.flatMap(({ type, label }) => nameOf(type, label) ?? [])
  await tx.links(names.length === 0 ? { toIds: ids } : { ...askingForHeadings(names), toIds: ids })
}
