import { type AskingClient, asking } from './asking-client.ts'
import { html } from './html.ts'
import type { HtmlPage } from './html-page.ts'
import { describedBy, errorNotice, hiddenField, layout } from './layout.ts'
import { name } from './untrusted.ts'

export interface LoginModel {
  /** Where the form is sent: fields `csrf`, `next`, `name`, `password`. */
  action: string
  /** The local path to continue with. */
  next: string
  csrf: string
  /** The name that was typed before. */
  user?: string | undefined
  error?: string | undefined
  /** The client that sent the person here. */
  client?: AskingClient | undefined
}

export function loginPage({ action, next, csrf, user = '', error, client }: LoginModel): HtmlPage {
  const invalid = describedBy(error)
  const focus = html` autofocus`
  const main = html`<div class="card padded">
<h1>Sign in</h1>
${client && html`<p class="lead">${asking(client)} wants to use your memory. It calls itself “${name(client.name)}”. Sign in to decide.</p>`}
<form class="fields" method="post" action="${action}">
${errorNotice(error)}
${hiddenField('csrf', csrf)}${hiddenField('next', next)}
<div><label for="name">Name</label>
<input type="text" id="name" name="name" value="${user}" autocomplete="username" autocapitalize="none" spellcheck="false" required${invalid}${user === '' && focus}></div>
<div><label for="password">Password</label>
<input type="password" id="password" name="password" autocomplete="current-password" required${invalid}${user !== '' && focus}></div>
<button class="primary">Sign in</button>
</form>
</div>`
  const below = html`<p>No account, or forgot your password? Ask the person who runs this server.</p>`
  return layout({ title: 'Sign in', width: 'narrow', main, below })
}
