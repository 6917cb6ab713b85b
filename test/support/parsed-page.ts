import { DomUtils, Parser, parseDocument } from 'htmlparser2'
import type { HtmlPage } from '../../src/http/pages/html-page.ts'

export interface ParsedElement {
  tag: string
  attributes: Record<string, string>
  text: string
  children: ParsedElement[]
}

type ParsedNode = ReturnType<typeof parseDocument>['children'][number]

/** Every element of a page, in the order of the document. */
export function elementsOf({ html }: HtmlPage): ParsedElement[] {
  return descendants(parseDocument(html).children.flatMap(parsed))
}

export function descendants(elements: ParsedElement[]): ParsedElement[] {
  return elements.flatMap((one) => [one, ...descendants(one.children)])
}

function parsed(node: ParsedNode): ParsedElement[] {
  if (!('attribs' in node)) return []
  const text = DomUtils.textContent(node).replace(/\s+/g, ' ').trim()
  return [{ tag: node.name, attributes: node.attribs, text, children: node.children.flatMap(parsed) }]
}

/** Every tag with the names of its attributes, and comments: what may not depend on what strangers write. */
export function skeletonOf({ html }: HtmlPage): string[] {
  const tags: string[] = []
  const parser = new Parser({
    onopentag: (tag, attributes) => tags.push([tag, ...Object.keys(attributes)].join(' ')),
    onclosetag: (tag) => tags.push(`/${tag}`),
    oncomment: () => tags.push('comment'),
  })
  parser.end(html)
  return tags
}
