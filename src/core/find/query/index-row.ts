import { frontTags } from './tags.ts'
import { indexForm } from './words.ts'

/** What the search index holds of a node: words with spaces between them. */
export interface IndexRow {
  label: string
  body: string
}

interface IndexedNode {
  type: string
  /** As shown. */
  label: string
  text: string
}

/**
 * This file alone says what of a node is indexed: words are put in that come with a change of the node, and a store takes
 * out what it computes from the stored node. So texts count as they are stored, where half a surrogate pair is a sign of
 * its own.
 */
export function indexRow({ type, label, text }: IndexedNode): IndexRow {
  const node = { type, label: label.toWellFormed(), text: text.toWellFormed() }
  return { label: labelWords(node), body: textWords(node) }
}

/** The label of a text is its own beginning: it is not indexed twice. */
export function labelWords({ type, label }: Pick<IndexedNode, 'type' | 'label'>): string {
  return type === 'text' ? '' : indexForm(label, { tags: type === 'code' ? null : [] })
}

/** Nor is the text of a heading that is its label. */
export function textWords({ type, label, text }: IndexedNode): string {
  if (type === 'heading' && label === text) return ''
  // `#include` in code is no tag.
  return indexForm(text, { tags: type === 'code' ? null : frontTags(text, type) })
}
