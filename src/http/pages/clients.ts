import { type Html, html } from './html.ts'
import type { HtmlPage } from './html-page.ts'
import { errorNotice, hiddenField, layout, signedIn } from './layout.ts'
import { PAGE_PATHS } from './paths.ts'
import { tile } from './tile.ts'
import { time } from './time.ts'
import { host, name, plainName } from './untrusted.ts'

export interface ShownGrant {
  id: string
  client: { host: string; name: string }
  space: string
  /** As people read them. */
  scopes: readonly string[]
  /** Unix milliseconds, as all times. */
  createdAt: number
  /** Null: never. */
  lastUsedAt: number | null
  /** Null: until it is revoked. */
  expiresAt: number | null
  /** Who gave it. Shown to administrators. */
  user?: string | undefined
}

export interface ClientsModel {
  csrf: string
  user: string
  /** Whether these are the grants of everybody. */
  isAdmin: boolean
  /** Each has a form that is sent to `PAGE_PATHS.clients`: fields `csrf`, `grant`. */
  grants: readonly ShownGrant[]
  /** What a person gives to a client, such as `https://memory.example.org/s/team/mcp`. */
  url: string
  /** What was just done. */
  message?: string | undefined
  error?: string | undefined
}

export function clientsPage(model: ClientsModel): HtmlPage {
  const { csrf, user, isAdmin, grants, url, message, error } = model
  const main = html`<h1>Connected clients</h1>
<p class="lead">${isAdmin ? 'Programs that can use the memories of this server.' : 'Programs that can use your memory.'}</p>
<div class="section">
${message !== undefined && html`<p class="notice good" role="status">${message}</p>`}
${errorNotice(error)}
${grants.length > 0 && html`<ul class="card">${grants.map((grant, at) => item(grant, { at, csrf, isAdmin }))}</ul>`}
</div>
${connect(url, grants.length === 0)}`
  return layout({ title: 'Connected clients', width: 'wide', main, account: signedIn({ user, csrf }) })
}

function item(
  grant: ShownGrant,
  { at, csrf, isAdmin }: { at: number; csrf: string; isAdmin: boolean },
): Html {
  const { id, client, space, scopes, createdAt, lastUsedAt, expiresAt, user } = grant
  return html`<li class="grant">${tile(client.host)}
<div><h2 id="client-${at}">${host(client.host)}</h2><p class="small quiet">calls itself “${name(client.name)}”</p></div>
<dl>
${isAdmin && user !== undefined && fact('User', name(user))}
${fact('Space', name(space))}
${fact('May', html`${plainName(scopes.join(', '), 'nothing')}`)}
${fact('Since', time(createdAt))}
${fact('Last used', lastUsedAt === null ? html`never` : time(lastUsedAt))}
${fact('Ends', expiresAt === null ? html`when revoked` : time(expiresAt))}
</dl>
<form method="post" action="${PAGE_PATHS.clients}">
${hiddenField('csrf', csrf)}${hiddenField('grant', id)}
<button id="revoke-${at}" aria-labelledby="revoke-${at} client-${at}">Revoke</button>
</form></li>
`
}

function fact(label: string, value: Html): Html {
  return html`<div><dt>${label}</dt> <dd>${value}</dd></div>`
}

function connect(url: string, isFirst: boolean): Html {
  return html`<section class="section${isFirst && ' card padded'}">
<h2>${isFirst ? 'No client is connected yet' : 'Connect another client'}</h2>
<p>Give this address to Claude, ChatGPT, Cursor, VS Code or any other MCP client. It opens this server in your browser and asks for access.</p>
<pre class="copy">${url}</pre>
</section>`
}
