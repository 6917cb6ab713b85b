import { type Html, html } from './html.ts'

/** The initial of a client in place of a logo, which it could have from anybody. */
export function tile(host: string): Html {
  const initial = /[\p{L}\p{N}]/u.exec(host.replace(/^www\./, ''))?.[0] ?? '?'
  return html`<span class="tile" aria-hidden="true">${initial.toUpperCase()}</span>`
}
