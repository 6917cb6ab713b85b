import type { Block } from '../../core/model.ts'
import { savesEnough } from './compression.ts'
import { attribute, type HtmlElement, rawText } from './html-elements.ts'
import { toLatex } from './mathml.ts'

/** A formula as a block: LaTeX where it can be written so and is much shorter. Undefined when it shows nothing. */
export function mathBlock(element: HtmlElement, source: string): Block | undefined {
  if (rawText(element).trim() === '') return undefined
  const mathml = source.slice(element.start, element.end).trim()
  const latex = toLatex(element)
  const isShorter = latex !== undefined && savesEnough(mathml, latex)
  const text = isShorter ? latex : mathml
  return { type: 'code', format: isShorter ? 'latex' : 'mathml', text, children: [] }
}

/** A formula in a line of text: `$…$`, or as it is when it cannot be written so. */
export function renderInlineMath(element: HtmlElement, source: string): string {
  if (rawText(element).trim() === '') return ''
  const latex = toLatex(element)
  if (latex === undefined) return source.slice(element.start, element.end).replace(/\s+/g, ' ').trim()
  return attribute(element, 'display') === 'block' ? `$$${latex}$$` : `$${latex}$`
}
