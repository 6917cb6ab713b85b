import { type CompileProgress, compilingLine, NOTHING_YET } from '../../core/compile/compile-progress.ts'
import type { HtmlPage } from '../../http/pages/html-page.ts'
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

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
h2 + p { margin-top: 0; }
h3 { font-size: 1rem; margin: 1.25rem 0 0.4rem; font-weight: 600; }
h3 small { font-weight: normal; opacity: 0.7; }
pre { margin: 0; padding: 0.6rem 0.8rem; border: 1px solid #8886; border-radius: 6px; background: #8881; white-space: pre-wrap; overflow-wrap: anywhere; }
code, pre { font: 0.875rem/1.45 ui-monospace, monospace; }
footer { margin-top: 2rem; opacity: 0.7; }
`

/** The page at the address of a server: what it is, and what to paste where. It discloses no content of the memory. */
export function startPage({ url, version, note, holds }: PageFacts): HtmlPage {
  const address = escapeHtml(url)
  return htmlPage(
    version,
    `<h2>Address</h2>
<pre>${address}</pre>
<h2>What it holds</h2>
<p>${escapeHtml(holdsWords(holds))}</p>
<h2>Connect an agent</h2>
${clientTexts({ url }).map(clientHtml).join('\n')}
${clientHtml({ name: 'Every agent', where: NOTE_FILES, text: note.join('\n') })}
<h2>Documentation</h2>
<p>Run <code>remindb --help</code>, or read <code>README.md</code> and <code>docs/index.md</code> of the installed package. Tools are explained in
<code>docs/reference/tools.md</code>, this server in <code>docs/reference/http.md</code>.</p>`,
  )
}

/** The page at the address of a server with spaces. Anyone can open it, so it names no users or spaces. */
export function spacesPage(url: string, version: string): HtmlPage {
  return htmlPage(
    version,
    `<h2>Address</h2>
<pre>${escapeHtml(url)}</pre>
<h2>Connect an agent</h2>
<p>Ask the person who runs this server for the name of your space and, if it wants one, for an API key. Agents send the key in the header
<code>Authorization: Bearer …</code>.</p>`,
  )
}

function htmlPage(version: string, body: string): HtmlPage {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>remindb</title>
<style>${STYLE}</style>
</head>
<body>
<h1>remindb</h1>
<p>The memory of AI agents. This server speaks MCP (Model Context Protocol): an agent connects to it, searches the memory and writes to it.</p>
${body}
<footer>remindb ${escapeHtml(version)}</footer>
</body>
</html>
`
  return { html, style: STYLE }
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

function clientHtml({ name, where, text }: { name: string; where: string; text: string }): string {
  const place = where === '' ? '' : ` <small>in ${escapeHtml(where)}</small>`
  return `<h3>${escapeHtml(name)}${place}</h3>\n<pre>${escapeHtml(text)}</pre>`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
