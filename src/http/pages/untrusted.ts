import { elideMiddle } from '../../util/text/elide.ts'
import { printable } from '../../util/text/printable.ts'
import { type Html, html } from './html.ts'

/** Long enough for a name, too short for a speech. */
const MAX_NAME = 80
/** The longest name that DNS has, and a port. */
const MAX_HOST = 260

/** Joiners and variation selectors are invisible too, but scripts and emoji need them. */
const INVISIBLE = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Cn}\p{Co}\u2800]/gu
/** Marks beyond these cover the lines above and below. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu

/** A name that a stranger chose: on one line, cut, and without an effect on the text around it. */
export function name(text: string, whenEmpty = 'unnamed'): Html {
  return html`<bdi>${plainName(text, whenEmpty)}</bdi>`
}

/** The same where no element can be, as in an `option` or attribute. */
export function plainName(text: string, whenEmpty = 'unnamed'): string {
  const shown = plain(text)
  const characters = [...shown]
  if (characters.length > MAX_NAME) return `${characters.slice(0, MAX_NAME - 1).join('')}…`
  return shown === '' ? whenEmpty : shown
}

/** A host, as URLs have it. Its end says whom it belongs to, so a long one loses its middle. */
export function host(text: string): Html {
  return html`<bdi class="host">${elideMiddle(plain(text), MAX_HOST)}</bdi>`
}

function plain(text: string): string {
  const line = text.normalize('NFC').replace(/\s+/g, ' ').trim()
  return printable(line).replace(INVISIBLE, '').replace(PILED_MARKS, '$1').trim()
}
