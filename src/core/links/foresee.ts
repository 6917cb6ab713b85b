import { slug } from '../link-parts.ts'
import type { LinkReads, LinksFitting } from '../port/links.ts'
import type { FlatBlock } from '../rows/flatten.ts'
import { nameOf } from '../rows/node-writes.ts'

/** Links that a heading of one of these names decides about. */
export function askingForHeadings(names: readonly string[]): LinksFitting {
  const sections = [...new Set(names.map(slug))].filter((section) => section !== '')
  return { named: names, intoFiles: names, toSections: sections }
}

/**
 * Asks for the links that may have waited for new blocks and their ids, before anything is stored: what an operation asks about links is known
 * at its end (`runOperation`), which then need not wait for it.
 */
export async function foreseeLinks(
  tx: Pick<LinkReads, 'links'>,
  blocks: readonly Pick<FlatBlock, 'type' | 'label'>[],
  ids: readonly string[],
): Promise<void> {
  const names = blocks.flatMap(({ type, label }) => nameOf(type, label) ?? [])
  await tx.links(names.length === 0 ? { toIds: ids } : { ...askingForHeadings(names), toIds: ids })
}
