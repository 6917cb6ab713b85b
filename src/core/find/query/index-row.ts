import { frontTags } from './tags.ts'
import { indexForm } from './words.ts'

/** The search index of a node: words separated by spaces. */
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
 * The only definition of what is indexed for a node: a change adds the new words, and a store removes the words that it
 * computes from the stored node. So it works on texts as stored, where a lone surrogate is U+FFFD.
 */
export function indexRow({ type, label, text }: IndexedNode): IndexRow {
  const node = { type, label: label.toWellFormed(), text: text.toWellFormed() }
  return { label: labelWords(node), body: textWords(node) }
}

/** The label of a text is its beginning: it is not indexed twice. */
export function labelWords({ type, label }: Pick<IndexedNode, 'type' | 'label'>): string {
  return type === 'text' ? '' : indexForm(label, { tags: type === 'code' ? null : [] })
}

/** Nor is the text of a heading that is its label. */
export function textWords({ type, label, text }: IndexedNode): string {
  if (type === 'heading' && label === text) return ''
  // `#include` in code is not a tag.
  return indexForm(text, { tags: type === 'code' ? null : frontTags(text, type) })
}
