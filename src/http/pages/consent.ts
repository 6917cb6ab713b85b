import { type Html, html } from './html.ts'
import type { HtmlPage } from './html-page.ts'
import { errorNotice, hiddenField, layout, signedIn } from './layout.ts'
import type { RedirectTarget } from './redirect-target.ts'
import { host, name, plainName } from './untrusted.ts'

export interface ConsentClient {
  /** Of the URL of its metadata document, or of its redirect URI if it registered itself. */
  host: string
  /** As it calls itself: anybody can claim any name. */
  name: string
  /** Whether the host vouches for it: it serves the client's metadata document. */
  isVerifiedHost: boolean
}

export interface ConsentScope {
  value: string
  label: string
  description: string
  isSelected: boolean
}

export interface ConsentModel {
  /** Where the form is sent: fields `csrf`, `decision` (`allow` or `deny`), `scope` (several), `expires`, and `space` if it is chosen. */
  action: string
  csrf: string
  user: string
  /** The local path to return to after signing out. */
  next?: string | undefined
  client: ConsentClient
  redirect: RedirectTarget
  /** Undefined: the person chooses one of `spaces`. */
  space: string | undefined
  spaces: readonly { name: string; role: string }[]
  scopes: readonly ConsentScope[]
  /** A value of `EXPIRIES`. Default: 90 days. */
  expires?: string | undefined
  error?: string | undefined
}

/** What `expires` can be. Null days: until it is revoked. */
export const EXPIRIES = [
  { value: '30d', label: '30 days', days: 30 },
  { value: '90d', label: '90 days', days: 90 },
  { value: '1y', label: '1 year', days: 365 },
  { value: 'never', label: 'Until you revoke it', days: null },
] as const

export function consentPage(model: ConsentModel): HtmlPage {
  const { action, csrf, user, next, client, redirect, error } = model
  const main = html`<div class="card">
<h1>Let ${host(client.host)} use your memory?</h1>
<p class="lead">It calls itself “${name(client.name)}”.</p>
<form class="stack" method="post" action="${action}">
${errorNotice(error)}
${hiddenField('csrf', csrf)}
${spaceField(model)}
${scopeFields(model.scopes)}
${expiryField(model.expires ?? '90d')}
<p class="small quiet">Afterwards you return to ${host(redirect.host)}.</p>
<div class="choice"><button name="decision" value="deny">Deny</button><button class="primary" name="decision" value="allow">Allow</button></div>
</form>
</div>
${signedIn({ user, csrf, ...(next !== undefined && { next }) })}`
  return layout({ title: 'Allow access', width: 'medium', main })
}

function spaceField({ space, spaces }: ConsentModel): Html {
  if (space !== undefined) return html`<div><span class="label">Space</span>${name(space)}</div>`
  const options = spaces.map(
    (one) => html`<option value="${one.name}">${plainName(one.name)} (${one.role})</option>`,
  )
  return html`<div><label for="space">Space</label><select id="space" name="space" required>${options}</select></div>`
}

function scopeFields(scopes: readonly ConsentScope[]): Html {
  return html`<fieldset><legend>It may</legend>${scopes.map(
    ({ value, label, description, isSelected }, at) =>
      html`<label for="scope-${at}"><input type="checkbox" id="scope-${at}" name="scope" value="${value}"${isSelected && html` checked`}> ${label} <span class="hint">${description}</span></label>`,
  )}</fieldset>`
}

function expiryField(selected: string): Html {
  return html`<div><label for="expires">For</label><select id="expires" name="expires">${EXPIRIES.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === selected && html` selected`}>${label}</option>`,
  )}</select></div>`
}
