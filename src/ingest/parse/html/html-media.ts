import type { Block, Format } from '../../../core/model.ts'
import { attribute, type HtmlElement, isElement } from '../html-elements.ts'
import { type Page, redactMarkup } from '../html-redact.ts'
import { renderDestination } from '../markdown-text.ts'

const FORMATS: Readonly<Record<string, Format>> = {
  img: 'image',
  video: 'video',
  audio: 'audio',
  iframe: 'iframe',
  embed: 'embed',
  object: 'embed',
}

/** A medium as a block; undefined when it names no source. */
export function embedBlock(element: HtmlElement): Block | undefined {
  const text = renderMedia(element)
  if (text === undefined) return undefined
  return { type: 'embed', format: FORMATS[element.name] ?? 'embed', text, children: [] }
}

/** `![alt](src)` for an image, `[alt](src)` for anything else; undefined when it names no source. */
export function renderMedia(element: HtmlElement): string | undefined {
  const source = sourceOf(element)
  if (source === undefined) return undefined
  const isImage = element.name === 'img'
  const alt = attribute(element, 'alt')
  const title = attribute(element, 'title')
  const shown = (alt ?? title ?? '').replace(/\s+/g, ' ')
  // A title that is already shown is not repeated.
  const note = isImage && alt !== undefined ? title : undefined
  return `${isImage ? '!' : ''}[${shown}](${renderDestination(source, note)})`
}

function sourceOf(element: HtmlElement): string | undefined {
  if (element.name === 'object') return attribute(element, 'data')
  const own = attribute(element, 'src')
  if (own !== undefined || (element.name !== 'video' && element.name !== 'audio')) return own
  for (const child of element.children) {
    const source = isElement(child) && child.name === 'source' ? attribute(child, 'src') : undefined
    if (source !== undefined) return source
  }
  return undefined
}

/** Attributes on the first line, markup below; undefined when there is neither. */
export function drawingBlock(element: HtmlElement, { source, redact }: Page): Block | undefined {
  const attributes = element.attributes.map(([name, value]) => `${name}="${oneLine(redact(value))}"`)
  const content = source.slice(element.contentStart, element.contentEnd).trim()
  const { text: markup } = redactMarkup(content, redact)
  const text = [attributes.join(' '), markup].filter((part) => part !== '').join('\n')
  if (text === '') return undefined
  const format = element.name === 'svg' ? 'svg' : 'canvas'
  return { type: 'code', format, text, children: [] }
}

function oneLine(value: string): string {
  return value.replaceAll('"', '&quot;').replace(/\s+/g, ' ')
}
