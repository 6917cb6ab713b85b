/** Markup in which everything that is not ours is escaped. Only `html` makes it. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type HtmlValue = string | number | Html | undefined | false | readonly HtmlValue[]

/** A template whose values are escaped, except markup of the same kind. Undefined and false are nothing. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const [first = '', ...rest] = parts
  return new Html(first + rest.map((part, at) => textOf(values[at]) + part).join(''))
}

function textOf(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(textOf).join('')
  return escapeHtml(String(value))
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
