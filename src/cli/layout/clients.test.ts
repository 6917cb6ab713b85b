import { expect, test } from 'vitest'
import { createPalette } from '../../util/terminal/color.ts'
import { clientLines } from './clients.ts'

const palette = createPalette(false)

test('an address, for each of the common agents', () => {
  const text = clientLines({ url: 'http://127.0.0.1:7474/mcp' }, palette).join('\n')
  expect(text.match(/^\S.*:$/gm)).toEqual([
    'Claude Code:',
    'Cursor, in .cursor/mcp.json:',
    'Codex, in ~/.codex/config.toml:',
    'Gemini CLI, in .gemini/settings.json:',
    'VS Code, in .vscode/mcp.json:',
  ])
  expect(text).toContain('claude mcp add --transport http remindb http://127.0.0.1:7474/mcp')
  expect(text).toContain('url = "http://127.0.0.1:7474/mcp"')
  expect(text).toContain('"httpUrl": "http://127.0.0.1:7474/mcp"')
})

test('a program to start; words that a shell would split are quoted', () => {
  const reach = {
    command: '/usr/bin/node',
    args: ['/opt/remindb', 'serve', '--source', "/home/me/my 'notes'"],
  }
  const text = clientLines(reach, palette).join('\n')
  expect(text).toContain(
    `claude mcp add remindb -- /usr/bin/node /opt/remindb serve --source '/home/me/my '\\''notes'\\'''`,
  )
  expect(text).toContain('command = "/usr/bin/node"')
  expect(text).toContain(`args = ["/opt/remindb","serve","--source","/home/me/my 'notes'"]`)
  expect(text).toContain('"type": "stdio"')
})
