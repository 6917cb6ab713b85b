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
}

export interface ClientsModel {
  csrf: string
  user: string
  /** Each has a form that is sent to `PAGE_PATHS.clients`: fields `csrf`, `grant`. */
  grants: readonly ShownGrant[]
  /** What a person gives to a client, such as `https://memory.example.org/s/team/mcp`: one for each space. */
  urls: readonly string[]
  /** What was just revoked. */
  revoked?: { client: string; space: string } | undefined
  error?: string | undefined
}

export function clientsPage(model: ClientsModel): HtmlPage {
  const { csrf, user, grants, urls, revoked, error } = model
  const main = html`<h1>Connected clients</h1>
<p class="lead">Programs that can use your memory.</p>
<div class="section">
${revoked && html`<p class="notice good" role="status">${name(revoked.client)} can no longer use “${name(revoked.space)}”.</p>`}
${errorNotice(error)}
${grants.length > 0 && html`<ul class="card">${grants.map((grant, at) => item(grant, { at, csrf }))}</ul>`}
</div>
${connect(urls, grants.length === 0)}`
  return layout({ title: 'Connected clients', width: 'wide', main, account: signedIn({ user, csrf }) })
}

function item(grant: ShownGrant, { at, csrf }: { at: number; csrf: string }): Html {
  const { id, client, space, scopes, createdAt, lastUsedAt, expiresAt } = grant
  return html`<li class="grant">${tile(client.host)}
<div><h2 id="client-${at}">${host(client.host)}</h2><p class="small quiet" id="name-${at}">calls itself “${name(client.name)}”</p></div>
<dl>
${fact('Space', html`<span id="space-${at}">${name(space)}</span>`)}
${fact('May', html`${plainName(scopes.join(', '), 'nothing')}`)}
${fact('Since', time(createdAt))}
${fact('Last used', lastUsedAt === null ? html`never` : time(lastUsedAt))}
${fact('Ends', expiresAt === null ? html`when revoked` : time(expiresAt))}
</dl>
<form method="post" action="${PAGE_PATHS.clients}">
${hiddenField('csrf', csrf)}${hiddenField('grant', id)}
<button id="revoke-${at}" aria-labelledby="revoke-${at} client-${at} name-${at} space-${at}">Revoke</button>
</form></li>
`
}

function fact(label: string, value: Html): Html {
  return html`<div><dt>${label}</dt> <dd>${value}</dd></div>`
}

function connect(urls: readonly string[], isFirst: boolean): Html {
  const how =
    urls.length === 0
      ? html`<p>You are not a member of any space. Ask the person who runs this server to add you to one.</p>`
      : html`<p>Give ${urls.length === 1 ? 'this address' : 'the address of a space'} to Claude, ChatGPT, Cursor, VS Code or any other MCP client. It opens this server in your browser and asks for access.</p>`
  return html`<section class="section${isFirst && ' card padded'}">
<h2>${isFirst ? 'No client is connected yet' : 'Connect another client'}</h2>
${how}
${urls.map(
  (url) => html`<pre class="copy">${url}</pre>
`,
)}
</section>`
}
