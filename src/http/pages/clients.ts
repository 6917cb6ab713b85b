import { type Html, html } from './html.ts'
import type { HtmlPage } from './html-page.ts'
import { errorNotice, hiddenField, layout, signedIn } from './layout.ts'
import { PAGE_PATHS } from './paths.ts'
import { time } from './time.ts'
import { host, name } from './untrusted.ts'

export interface ShownGrant {
  id: string
  client: { host: string; name: string }
  space: string
  scopes: readonly string[]
  /** Unix milliseconds, as all times. */
  createdAt: number
  /** Null: never. */
  lastUsedAt: number | null
  /** Null: until it is revoked. */
  expiresAt: number | null
  /** Whose it is, where an administrator sees those of everybody. */
  user?: string | undefined
}

export interface ClientsModel {
  csrf: string
  user: string
  isAdmin: boolean
  /** Each has a form that is sent to `PAGE_PATHS.clients`: fields `csrf`, `grant`. */
  grants: readonly ShownGrant[]
  /** What a person types into a client, such as `https://memory.example.org/s/team/mcp`. */
  url: string
  /** What was just done. */
  message?: string | undefined
  error?: string | undefined
}

export function clientsPage({ csrf, user, grants, url, message, error }: ClientsModel): HtmlPage {
  const main = html`<h1>Connected clients</h1>
${message !== undefined && html`<p class="notice good" role="status">${message}</p>`}
${errorNotice(error)}
${grants.length === 0 ? emptyState(url) : html`<ul>${grants.map((grant) => item(grant, csrf))}</ul>`}`
  return layout({ title: 'Connected clients', width: 'wide', main, account: signedIn({ user, csrf }) })
}

function emptyState(url: string): Html {
  return html`<div class="card"><h2>No client is connected</h2><p>Add this address to your client:</p><pre>${url}</pre></div>`
}

function item(
  { id, client, space, scopes, createdAt, lastUsedAt, expiresAt }: ShownGrant,
  csrf: string,
): Html {
  return html`<li class="card"><h2>${host(client.host)}</h2> <p>${name(client.name)}</p>
<dl><dt>Space</dt><dd>${name(space)}</dd><dt>May</dt><dd>${scopes.join(', ')}</dd><dt>Since</dt><dd>${time(createdAt)}</dd>
<dt>Last used</dt><dd>${lastUsedAt === null ? 'never' : time(lastUsedAt)}</dd><dt>Ends</dt><dd>${expiresAt === null ? 'when revoked' : time(expiresAt)}</dd></dl>
<form method="post" action="${PAGE_PATHS.clients}">${hiddenField('csrf', csrf)}${hiddenField('grant', id)}<button class="revoke">Revoke</button></form></li>`
}
