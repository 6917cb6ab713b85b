import { html } from './html.ts'
import type { HtmlPage } from './html-page.ts'
import { layout, type SignedInUser, signedIn } from './layout.ts'
import { PAGE_PATHS } from './paths.ts'

export interface MessageModel {
  title: string
  text: string
  /** What to do. */
  hint?: string | undefined
  /** To a page of this server. */
  link?: { href: string; label: string } | undefined
  /** Who is signed in, where somebody else may get further. */
  account?: SignedInUser | undefined
}

const SIGN_IN = { href: PAGE_PATHS.login, label: 'Sign in' }

/** What the server says when there is no form to show, each with its status. */
export const MESSAGES = {
  signedOut: {
    status: 200,
    title: 'Signed out',
    text: 'You are signed out in this browser.',
    hint: 'Clients that you connected stay connected.',
    link: SIGN_IN,
  },
  setupDone: {
    status: 410,
    title: 'This link is no longer valid',
    text: 'The server is set up, or the link has expired.',
    hint: 'If there is no administrator yet, restart the server: it prints a new link. On its host, remindb users create NAME --admin does the same.',
    link: SIGN_IN,
  },
  forbidden: {
    status: 403,
    title: 'This is not allowed',
    text: 'The form was not sent from a page of this server, or the page was open for too long.',
    hint: 'Go back, reload the page and try again.',
  },
  badRequest: {
    status: 400,
    title: 'The client made a mistake',
    text: 'It sent a request that cannot be answered.',
    hint: 'Return to the client and connect again. If that does not help, tell its makers what this page says.',
  },
  noDocument: {
    status: 400,
    title: 'The client cannot be identified',
    text: 'It says that a document on the web describes it, and this server could not get that document.',
    hint: 'Try again. If this server has no way to the web, the person who runs it can set server.oauth.documents to false: clients then register instead.',
  },
  expired: {
    status: 400,
    title: 'This request has expired',
    text: 'The client waited too long for an answer, or has one already.',
    hint: 'Return to the client and connect again.',
  },
  tooMany: {
    status: 429,
    title: 'Too many attempts',
    text: 'So many in a short time are refused, to protect the accounts of this server.',
    hint: 'If you forgot your password, ask the person who runs this server for a new one.',
  },
  unexpected: {
    status: 500,
    title: 'Something went wrong',
    text: 'The server could not complete this.',
    hint: 'Try again. If it keeps happening, the log of the server says why.',
  },
} as const satisfies Record<string, MessageModel & { status: number }>

export function messagePage({ title, text, hint, link, account }: MessageModel): HtmlPage {
  const main = html`<div class="card padded">
<h1>${title}</h1>
<p class="said">${text}</p>
${hint !== undefined && html`<p class="lead">${hint}</p>`}
${link && html`<p class="lead"><a class="button" href="${link.href}">${link.label}</a></p>`}
</div>`
  return layout({ title, width: 'narrow', main, ...(account ? { below: signedIn(account) } : {}) })
}
