import { join } from 'node:path'
import { NO_KEY, type Program, SERVER } from './program.ts'

export const claudeCode: Program = {
  ...{ name: 'claude-code', title: 'Claude Code', package: '@anthropic-ai/claude-code', version: '2.1.325' },
  command: 'claude',
  notes: ['Unattended it needs `--allowedTools mcp__remindb`.'],
  toolName: (tool) => `mcp__${SERVER}__${tool}`,
  launch({ home, modelUrl, server, prompt, isAllowed }) {
    const config = join(home, 'mcp.json')
    const entry =
      server.kind === 'http'
        ? { type: 'http', url: server.url }
        : { command: server.command, args: server.args }
    return {
      args: [
        ...['-p', prompt, '--mcp-config', config, '--strict-mcp-config', '--model', 'claude-sonnet-4-5'],
        ...(isAllowed ? ['--allowedTools', `mcp__${SERVER}`] : []),
      ],
      env: {
        ANTHROPIC_BASE_URL: modelUrl,
        ANTHROPIC_API_KEY: NO_KEY,
        CLAUDE_CONFIG_DIR: join(home, '.claude'),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      },
      files: { [config]: JSON.stringify({ mcpServers: { [SERVER]: entry } }) },
    }
  },
}
