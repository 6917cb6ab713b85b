import { html } from './html.ts'
import type { HtmlPage } from './html-page.ts'
import { describedBy, errorNotice, hiddenField, layout } from './layout.ts'
import { PAGE_PATHS } from './paths.ts'

export interface SetupModel {
  /** Where the form is sent: fields `csrf`, `code`, `name`, `password`, `repeat`. */
  action: string
  csrf: string
  error?: { text: string; field: SetupField } | undefined
  /** The code, when it was sent before: the fragment is gone by then. */
  token?: string | undefined
  /** The name that was typed before. */
  user?: string | undefined
}

export type SetupField = 'code' | 'name' | 'password'

const MIN_PASSWORD = 10

/** Moves the code from the fragment, which no server sees, into its field. Without scripts a person pastes it. */
export const SETUP_SCRIPT = `const code = location.hash.slice(1)
if (code !== '') {
  document.getElementById('code').value = code
  history.replaceState(null, '', location.pathname)
  document.getElementById('name').focus()
}
`

/** The code in what a person pasted: the code alone, or the whole link. */
export function setupCode(field: string): string {
  return field.trim().replace(/^.*#/s, '')
}

export function setupPage({ action, csrf, error, token = '', user = '' }: SetupModel): HtmlPage {
  const about = (field: SetupField) => (error?.field === field ? error.text : undefined)
  const first = error?.field ?? (token === '' ? 'code' : 'name')
  const focus = (field: SetupField) => field === first && html` autofocus`
  const main = html`<div class="card padded">
<h1>Set up this server</h1>
<p class="lead">Create its first administrator. The link that brought you here works once.</p>
<form class="fields" method="post" action="${action}">
${errorNotice(error?.text)}
${hiddenField('csrf', csrf)}
<div><label for="code">Setup code</label>
<input class="code" type="text" id="code" name="code" value="${token}" autocomplete="off" autocapitalize="none" spellcheck="false" required${describedBy(about('code'), 'code-hint')}${focus('code')}>
<p class="hint" id="code-hint">The part after # in the link that the server printed.</p></div>
<div><label for="name">Name</label>
<input type="text" id="name" name="name" value="${user}" autocomplete="username" autocapitalize="none" spellcheck="false" required${describedBy(about('name'), 'name-hint')}${focus('name')}>
<p class="hint" id="name-hint">Lower-case letters and digits, such as ada.</p></div>
<div><label for="password">Password</label>
<input type="password" id="password" name="password" minlength="${MIN_PASSWORD}" autocomplete="new-password" required${describedBy(about('password'), 'password-hint')}${focus('password')}>
<p class="hint" id="password-hint">At least ${MIN_PASSWORD} characters.</p></div>
<div><label for="repeat">Repeat the password</label>
<input type="password" id="repeat" name="repeat" minlength="${MIN_PASSWORD}" autocomplete="new-password" required${describedBy(about('password'))}></div>
<button class="primary">Create administrator</button>
</form>
</div>`
  return layout({ title: 'Set up', width: 'narrow', main, script: PAGE_PATHS.setupScript })
}
