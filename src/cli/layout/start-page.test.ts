import { expect, test } from 'vitest'
import { spacesPage, startPage } from './start-page.ts'

const FACTS = {
  url: 'http://127.0.0.1:7474/mcp',
  version: '0.0.0',
  note: ['Search it first.', 'Save there.'],
  holds: { nodes: 1, tokens: 2, snapshots: 3 },
}

test('the start page names the address, the content of the memory, every agent and the docs, without a script', () => {
  const { html, style } = startPage(FACTS)
  expect(html).toContain('<pre>http://127.0.0.1:7474/mcp</pre>')
  expect(html).toContain('1 node, 2 tokens, 3 snapshots.')
  for (const agent of ['Claude Code', 'Cursor', 'Codex', 'Gemini CLI', 'VS Code'])
    expect(html).toContain(agent)
  expect(html).toMatch(/Every agent <small>.*CLAUDE\.md.*\n?.*Search it first\.\nSave there\./)
  expect(html).toContain('docs/index.md')
  expect(html).toContain(`<style>${style}</style>`)
  // The icon is part of the page.
  expect(html).not.toMatch(/<script|\son\w+=|href=(?!"data:)|src=/i)
})

test('the start page says how far a compile is, and not that there is nothing', () => {
  const compiling = { phase: 'read', done: 2400, total: 3000 } as const
  const { html } = startPage({ ...FACTS, holds: { nodes: 0, tokens: 0, snapshots: 0, compiling } })
  expect(html).toContain('Nothing is stored yet; still compiling: 1,200 of 3,000 files.')
  const { html: later } = startPage({ ...FACTS, holds: { ...FACTS.holds, compiling } })
  expect(later).toContain('1 node, 2 tokens, 3 snapshots; still compiling: 1,200 of 3,000 files.')
})

test('the start page wraps long lines instead of cutting them', () => {
  expect(startPage(FACTS).style).toMatch(/pre \{[^}]*white-space: pre-wrap; overflow-wrap: anywhere;/)
})

test('the start page escapes the address', () => {
  const { html } = startPage({ ...FACTS, url: `http://x/"><img src='x' onerror=alert(1)>&`, holds: null })
  expect(html).not.toContain('<img')
  expect(html).toContain('&lt;img src=&#39;x&#39;')
  expect(html).toContain('The memory cannot be opened')
})

test('the page of a server with accounts says that one signs in, and the other that one needs a key', () => {
  const page = (hasAccounts: boolean) =>
    spacesPage('http://127.0.0.1:7474/s/{space}/mcp', '0.0.0', { hasAccounts }).html
  expect(page(true)).toContain('href="/auth/clients"')
  expect(page(true)).not.toContain('API key')
  expect(page(false)).toContain('API key')
  expect(page(false)).not.toContain('/auth/')
})
