import type { Block } from '../../../core/model.ts'
import { savesEnough } from '../compression.ts'
import { attribute, type HtmlElement, rawText } from '../html-elements.ts'
import { type Page, redactElement, redactMarkup } from '../html-redact.ts'
import { toLatex } from './mathml.ts'

/** A formula as a block: in LaTeX if possible and much shorter. Undefined if it is empty. */
export function mathBlock(element: HtmlElement, { source, redact }: Page): Block | undefined {
  if (rawText(element).trim() === '') return undefined
  const { text: mathml, isMarkup } = redactMarkup(source.slice(element.start, element.end).trim(), redact)
  if (!isMarkup) return { type: 'text', format: 'plain', text: mathml, children: [] }
  const latex = toLatex(redactElement(element, redact))
  const isShorter = latex !== undefined && savesEnough(mathml, latex)
  const text = isShorter ? latex : mathml
  return { type: 'code', format: isShorter ? 'latex' : 'mathml', text, children: [] }
}

/** An inline formula: `$…$`, or unchanged if it cannot be written so. */
export function renderInlineMath(element: HtmlElement, { source, redact }: Page): string {
  if (rawText(element).trim() === '') return ''
  const { text, isMarkup } = redactMarkup(source.slice(element.start, element.end), redact)
  const latex = isMarkup ? toLatex(redactElement(element, redact)) : undefined
  if (latex === undefined) return text.replace(/\s+/g, ' ').trim()
  return attribute(element, 'display') === 'block' ? `$$${latex}$$` : `$${latex}$`
}
