import { type AskingClient, asking } from './asking-client.ts'
import { type Html, type HtmlValue, html } from './html.ts'
import type { HtmlPage } from './html-page.ts'
import { errorNotice, hiddenField, layout, MARK, signedIn } from './layout.ts'
import { PAGE_PATHS } from './paths.ts'
import type { RedirectTarget } from './redirect-target.ts'
import { tile } from './tile.ts'
import { host, name, plainName } from './untrusted.ts'

export interface ConsentScope {
  value: string
  label: string
  description: string
  isSelected: boolean
}

export interface ConsentSpace {
  name: string
  /** Whether the client cannot write there, whatever is chosen: the user cannot. */
  isReadOnly: boolean
}

export interface ConsentModel {
  /** Where the form is sent: fields `csrf`, `decision` (`allow` or `deny`), `scope` (several), `expires`, and `space` if it is chosen. */
  action: string
  csrf: string
  user: string
  /** The local path to continue with after signing out. */
  next?: string | undefined
  client: AskingClient
  redirect: RedirectTarget
  /** Undefined: the person chooses one of `spaces`. */
  space: string | undefined
  spaces: readonly ConsentSpace[]
  /** The one of `spaces` that was chosen before. */
  chosenSpace?: string | undefined
  scopes: readonly ConsentScope[]
  /** The `value` of one of `EXPIRIES`. Default: 90 days. */
  expires?: string | undefined
  error?: string | undefined
}

/** What the field `expires` can be. Null days: until it is revoked. */
export const EXPIRIES = [
  { value: '30d', label: 'in 30 days', days: 30 },
  { value: '90d', label: 'in 90 days', days: 90 },
  { value: '1y', label: 'in 1 year', days: 365 },
  { value: 'never', label: 'when I revoke it', days: null },
] as const

export function consentPage(model: ConsentModel): HtmlPage {
  const { action, csrf, user, next, client, redirect, error } = model
  const main = html`<div class="card padded">
<div class="tiles" aria-hidden="true">${tile(client.host)}<span>→</span><span class="tile">${MARK}</span></div>
<h1>${asking(client)} wants to use your memory</h1>
<p class="lead">It calls itself “${name(client.name)}”. The name is not verified.</p>
<form class="fields" method="post" action="${action}">
${errorNotice(error)}
${hiddenField('csrf', csrf)}
${warning(model)}
${scopeFields(model.scopes)}
<div class="rows">
${spaceField(model)}
${expiryField(model.expires ?? '90d')}
</div>
${CHOICE}
</form>
</div>`
  const below = html`<p>${returning(redirect)}</p>
<p>You can revoke access at any time under <a class="nowrap" href="${PAGE_PATHS.clients}">connected clients</a>.</p>
${signedIn({ user, csrf, next })}`
  return layout({ title: 'Allow access?', width: 'medium', main, below })
}

/** One warning, the most important: more would not be read. */
function warning({ client, redirect }: ConsentModel): HtmlValue {
  if (redirect.isLoopback)
    return html`<p class="notice caution"><b>Did you just start this?</b> The request comes from a program on this computer, and any program here could have made it. Continue only if you started it yourself.</p>`
  if (client.isVerifiedHost) return undefined
  return html`<p class="notice caution"><b>Do you know this client?</b> It registered itself, and no website vouches for it. Continue only if you started it yourself.</p>`
}

function spaceField({ space, spaces, chosenSpace }: ConsentModel): Html {
  if (space !== undefined)
    return html`<div class="row"><span class="label">Space</span> <b>${name(space)}</b></div>`
  const options = spaces.map(
    (one) =>
      html`<option value="${one.name}"${one.name === chosenSpace && html` selected`}>${plainName(one.name)}${one.isReadOnly && ' (read only)'}</option>`,
  )
  return html`<div class="row"><label for="space">Space</label> <select id="space" name="space" required>${options}</select></div>`
}

function scopeFields(scopes: readonly ConsentScope[]): Html {
  const rows = scopes.map(
    ({ value, label, description, isSelected }) =>
      html`<label class="row"><input type="checkbox" name="scope" value="${value}"${isSelected && html` checked`}>
<span><b>${label}</b> <span class="hint">${description}</span></span></label>`,
  )
  return html`<fieldset><legend>It may</legend><div class="rows">${rows}</div></fieldset>`
}

function expiryField(selected: string): Html {
  const options = EXPIRIES.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === selected && html` selected`}>${label}</option>`,
  )
  return html`<div class="row"><label for="expires">Access ends</label> <select id="expires" name="expires">${options}</select></div>`
}

/** Deny is first: it is what the Enter key in another field does. */
const CHOICE = html`<div class="choice"><button name="decision" value="deny">Deny</button> <button class="primary" name="decision" value="allow">Allow</button></div>`

function returning({ host: at, isLoopback, isApp }: RedirectTarget): Html {
  if (isApp) return html`You will return to the app that opens links to ${host(at)}.`
  return html`You will return to ${host(at)}${isLoopback && ', a program on this computer'}.`
}
