import { type Html, type HtmlValue, html } from './html.ts'
import type { HtmlPage } from './html-page.ts'
import { PAGE_PATHS } from './paths.ts'
import { STYLE } from './style.ts'
import { name } from './untrusted.ts'

export const PRODUCT = 'remindb'

export interface Layout {
  title: string
  /** `narrow` for a short form, `wide` for a list. */
  width: 'narrow' | 'medium' | 'wide'
  main: Html
  /** In the header, beside the name of the product. */
  account?: Html
  /** Small print. */
  below?: Html
  /** The path of a script; it runs when the page is parsed. */
  script?: string
}

/** Nodes of a tree. */
export const MARK = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M5 5v9a5 5 0 0 0 5 5h6M5 6.5A4.5 4.5 0 0 0 9.5 11H18" fill="none" stroke="currentColor" stroke-width="2"/><circle cx="5" cy="4.5" r="3.25" fill="currentColor"/><circle cx="19" cy="11" r="3" fill="currentColor"/><circle cx="17" cy="19" r="3" fill="currentColor"/></svg>`

/** The mark on a ground of its own: tabs are light or dark. Part of the page, so that no request is made for it. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  MARK.text
    .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" color="#fff" ')
    .replace('viewBox="0 0 24 24"', 'viewBox="-5 -5 34 34"')
    .replace('>', '><rect x="-5" y="-5" width="34" height="34" rx="8" fill="#1f1e1b"/>'),
)}`

/** The document around every page. */
export function layout({ title, width, main, account, below, script }: Layout): HtmlPage {
  const head = html`<!doctype html>
<html lang="en" class="${width}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${ICON}">
<title>${title === PRODUCT ? PRODUCT : `${title} · ${PRODUCT}`}</title>`
  const rest = html`${script !== undefined && html`<script src="${script}" defer></script>`}
</head>
<body>
<header class="top"><span class="brand">${MARK}${PRODUCT}</span>${account}</header>
<main>
${main}
</main>
${below && html`<footer class="below">${below}</footer>`}
</body>
</html>
`
  return {
    html: `${head.text}\n<style>${STYLE}</style>\n${rest.text}`,
    style: STYLE,
    hasForm: rest.text.includes('<form '),
    hasScript: script !== undefined,
  }
}

/** The attributes of a field that the error is about, if there is one. `hint`: the id of another text about the field. */
export function describedBy(error: string | undefined, hint?: string): Html {
  const ids = [...(error === undefined ? [] : [ERROR_ID]), ...(hint === undefined ? [] : [hint])]
  const described = ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`
  return html`${described}${error !== undefined && html` aria-invalid="true"`}`
}

const ERROR_ID = 'error'

/** What was wrong with what was sent. Fields refer to it: see `describedBy`. */
export function errorNotice(error: string | undefined): HtmlValue {
  return error !== undefined && html`<p class="notice error" id="${ERROR_ID}" role="alert">${error}</p>`
}

export function hiddenField(field: string, value: string): Html {
  return html`<input type="hidden" name="${field}" value="${value}">`
}

export interface SignedInUser {
  user: string
  csrf: string
  /** The local path to continue with after signing out. */
  next?: string | undefined
}

/** Who is signed in, and a way to be somebody else. */
export function signedIn({ user, csrf, next }: SignedInUser): Html {
  return html`<form class="small quiet" method="post" action="${PAGE_PATHS.logout}">
${hiddenField('csrf', csrf)}${next !== undefined && hiddenField('next', next)}
<span>Signed in as <b>${name(user)}</b></span> <button class="plain">Sign out</button>
</form>`
}
