import { printable } from '../../util/terminal-text.ts'

/** For a person who started the server at a terminal: it is for an agent to start, and this is how. */
export function clientConfiguration(script: string, db: string, source: string | undefined): string[] {
  const args = [script, 'serve', '--db', db, ...(source === undefined ? [] : ['--source', source])]
  const configuration = { mcpServers: { remindb: { command: process.execPath, args } } }
  return [
    'remindb serve speaks MCP over stdin and stdout: an agent starts it. Put this into the configuration of yours:',
    '',
    ...JSON.stringify(configuration, null, 2).split('\n').map(printable),
    '',
    'It waits for messages now; Ctrl-D ends it.',
  ]
}
