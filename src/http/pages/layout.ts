import { type Html, type HtmlValue, html } from './html.ts'
import type { HtmlPage } from './html-page.ts'
import { PAGE_PATHS } from './paths.ts'
import { STYLE } from './style.ts'
import { name } from './untrusted.ts'

export interface Layout {
  title: string
  /** `narrow` for a short form, `wide` for a list. */
  width: 'narrow' | 'medium' | 'wide'
  main: Html
  /** At the right of the header. */
  account?: Html
  /** Of this server: it runs when the page is there. */
  script?: string
}

/** The document around every page. */
export function layout({ title, width, main, account, script }: Layout): HtmlPage {
  const page = html`<!doctype html>
<html lang="en" class="${width}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === 'remindb' ? title : `${title} · remindb`}</title>
`
  const rest = html`${script !== undefined && html`<script src="${script}" defer></script>\n`}</head>
<body>
<header class="top"><span class="brand">${MARK} remindb</span>${account}</header>
<main>
${main}
</main>
</body>
</html>
`
  return {
    html: `${page.text}<style>${STYLE}</style>\n${rest.text}`,
    style: STYLE,
    hasForm: rest.text.includes('<form '),
    hasScript: script !== undefined,
  }
}

/** Notes of a memory: some are warm. */
const MARK = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M7 5v14M7 9.5h9M7 16.5h5" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"/><circle cx="7" cy="4.5" r="2.5" fill="currentColor"/><circle cx="17.5" cy="9.5" r="2.5" fill="currentColor"/><circle cx="13.5" cy="16.5" r="2.5" fill="currentColor"/></svg>`

export const ERROR_ID = 'error'

/** Said by screen readers at once; a field names it with `refersTo`. */
export function errorNotice(error: string | undefined): HtmlValue {
  return error !== undefined && html`<p class="notice error" id="${ERROR_ID}" role="alert">${error}</p>`
}

export function hiddenField(field: string, value: string): Html {
  return html`<input type="hidden" name="${field}" value="${value}">`
}

/** Who is signed in, and a way to be somebody else. `next`: a path to return to. */
export function signedIn({ user, csrf, next }: { user: string; csrf: string; next?: string }): Html {
  return html`<form class="account small quiet" method="post" action="${PAGE_PATHS.logout}">
${hiddenField('csrf', csrf)}${next !== undefined && hiddenField('next', next)}
<span>Signed in as <b>${name(user)}</b></span> <button class="plain">Sign out</button>
</form>`
}
