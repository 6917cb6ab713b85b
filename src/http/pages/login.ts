import { html } from './html.ts'
import type { HtmlPage } from './html-page.ts'
import { ERROR_ID, errorNotice, hiddenField, layout } from './layout.ts'
import { host, name } from './untrusted.ts'

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
  client?: { host: string; name: string } | undefined
}

export function loginPage({ action, next, csrf, user, error, client }: LoginModel): HtmlPage {
  const invalid = error !== undefined && html` aria-describedby="${ERROR_ID}" aria-invalid="true"`
  const focused = html` autofocus`
  const main = html`<div class="card">
<h1>Sign in</h1>
${client && html`<p class="lead">to let ${host(client.host)} (“${name(client.name)}”) use your memory</p>`}
<form class="stack" method="post" action="${action}">
${errorNotice(error)}
${hiddenField('csrf', csrf)}${hiddenField('next', next)}
<div><label for="name">Name</label>
<input type="text" id="name" name="name" value="${user ?? ''}" autocomplete="username" autocapitalize="none" spellcheck="false" required${invalid}${!user && focused}></div>
<div><label for="password">Password</label>
<input type="password" id="password" name="password" autocomplete="current-password" required${invalid}${user && focused}></div>
<button class="primary">Sign in</button>
</form>
</div>`
  return layout({ title: 'Sign in', width: 'narrow', main })
}
