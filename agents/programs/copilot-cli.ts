import { join } from 'node:path'
import { NO_KEY, type Program, SERVER } from './program.ts'

export const copilotCli: Program = {
  ...{ name: 'copilot-cli', title: 'Copilot CLI', package: '@github/copilot', version: '1.0.102' },
  command: 'copilot',
  toolName: (tool) => `${SERVER}-${tool}`,
  launch({ home, modelUrl, server, prompt, isAllowed }) {
    const entry =
      server.kind === 'http'
        ? { type: 'http', url: server.url }
        : { type: 'local', command: server.command, args: server.args }
    const config = { mcpServers: { [SERVER]: { ...entry, tools: ['*'] } } }
    const folder = join(home, '.copilot')
    return {
      args: ['-p', prompt, '--no-auto-update', ...(isAllowed ? ['--allow-all-tools'] : [])],
      env: {
        COPILOT_HOME: folder,
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
        COPILOT_PROVIDER_API_KEY: NO_KEY,
        COPILOT_MODEL: 'gpt-4.1',
      },
      files: { [join(folder, 'mcp-config.json')]: JSON.stringify(config) },
    }
  },
}
