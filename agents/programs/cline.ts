import { join } from 'node:path'
import { NO_KEY, type Program, SERVER } from './program.ts'

const PROVIDER = 'openai-compatible'

export const cline: Program = {
  ...{ name: 'cline', title: 'Cline CLI', package: 'cline', version: '3.0.65' },
  command: 'cline',
  notes: [
    'The model reads the whole result as JSON, so an answer may have fewer than 8,000 characters: quotes and line ends count twice.',
  ],
  toolName: (tool) => `${SERVER}__${tool}`,
  launch({ home, modelUrl, server, prompt }) {
    const folder = join(home, '.cline', 'data', 'settings')
    const transport =
      server.kind === 'http'
        ? { type: 'streamableHttp', url: server.url }
        : { type: 'stdio', command: server.command, args: server.args }
    const settings = { provider: PROVIDER, apiKey: NO_KEY, model: 'gpt-4.1', baseUrl: `${modelUrl}/v1` }
    const providers = {
      ...{ version: 1, lastUsedProvider: PROVIDER, modes: {} },
      providers: { [PROVIDER]: { settings, tokenSource: 'manual', updatedAt: '2026-01-01T00:00:00.000Z' } },
    }
    return {
      // It approves everything by itself.
      args: ['--json', prompt],
      // Without it a daemon stays behind.
      env: { CLINE_SESSION_BACKEND_MODE: 'local' },
      files: {
        [join(folder, 'cline_mcp_settings.json')]: JSON.stringify({
          mcpServers: { [SERVER]: { transport } },
        }),
        [join(folder, 'providers.json')]: JSON.stringify(providers),
      },
    }
  },
}
