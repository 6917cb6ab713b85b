import { type CompileProgress, compilingLine, NOTHING_YET } from '../../core/compile/compile-progress.ts'
import { type Html, html } from '../../http/pages/html.ts'
import type { HtmlPage } from '../../http/pages/html-page.ts'
import { layout, PRODUCT } from '../../http/pages/layout.ts'
import { abbreviate, plural } from '../../util/text/units.ts'
import { clientTexts, NOTE_FILES } from './clients.ts'

interface Holds {
  nodes: number
  tokens: number
  snapshots: number
  /** The progress of a running compile. */
  compiling?: CompileProgress | undefined
}

export interface PageFacts {
  /** Of the MCP endpoint. */
  url: string
  version: string
  /** For the rules of a project. */
  note: readonly string[]
  /** Null: the memory cannot be opened. */
  holds: Holds | null
}

/** The page at the address of a server: what it is, and what to paste where. It discloses no content of the memory. */
export function startPage({ url, version, note, holds }: PageFacts): HtmlPage {
  const everyAgent = { name: 'Every agent', where: NOTE_FILES, text: note.join('\n') }
  return describe(
    version,
    html`${address(url)}
${section('What it holds', html`<p>${holdsWords(holds)}</p>`)}
${section('Connect an agent', html`${[...clientTexts({ url }), everyAgent].map(clientHtml)}`)}
${section(
  'Documentation',
  html`<p>Run <code>remindb --help</code>, or read <code>README.md</code> and <code>docs/index.md</code> of the installed package. Tools are explained in
<code>docs/reference/tools.md</code>, this server in <code>docs/reference/http.md</code>.</p>`,
)}`,
  )
}

/** The page at the address of a server with spaces. Anyone can open it, so it names no users or spaces. */
export function spacesPage(url: string, version: string): HtmlPage {
  return describe(
    version,
    html`${address(url)}
${section(
  'Connect an agent',
  html`<p>Ask the person who runs this server for the name of your space and, if it wants one, for an API key. Agents send the key in the header
<code>Authorization: Bearer …</code>.</p>`,
)}`,
  )
}

function describe(version: string, sections: Html): HtmlPage {
  const main = html`<h1>The memory of AI agents</h1>
<p class="lead">This server speaks MCP (Model Context Protocol): an agent connects to it, searches the memory and writes to it.</p>
${sections}`
  return layout({ title: PRODUCT, width: 'wide', main, below: html`<p>${PRODUCT} ${version}</p>` })
}

function address(url: string): Html {
  return section('Address', html`<pre>${url}</pre>`)
}

function section(title: string, content: Html): Html {
  return html`<section class="section"><h2>${title}</h2>
${content}</section>`
}

function holdsWords(holds: PageFacts['holds']): string {
  if (!holds) return 'The memory cannot be opened; the log of the server says why.'
  const { nodes, tokens, snapshots, compiling } = holds
  const counts = `${plural(nodes, 'node')}, ${abbreviate(tokens)} tokens, ${plural(snapshots, 'snapshot')}`
  if (!compiling) return `${counts}.`
  return `${nodes === 0 ? capitalized(NOTHING_YET) : counts}; ${compilingLine(compiling)}.`
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function clientHtml({ name, where, text }: { name: string; where: string; text: string }): Html {
  const place = where !== '' && html` <small>in ${where}</small>`
  return html`<h3>${name}${place}</h3>\n<pre>${text}</pre>`
}
