import { join } from 'node:path'
import { NO_KEY, type Program, SERVER } from './program.ts'

export const openCode: Program = {
  ...{ name: 'opencode', title: 'OpenCode', package: 'opencode-ai', version: '1.18.33' },
  command: 'opencode',
  notes: [],
  toolName: (tool) => `${SERVER}_${tool}`,
  launch({ home, modelUrl, server, prompt }) {
    const file = join(home, '.config', 'opencode', 'opencode.json')
    const entry =
      server.kind === 'http'
        ? { type: 'remote', url: server.url }
        : { type: 'local', command: [server.command, ...server.args] }
    const model = { name: 'Scripted', tool_call: true, limit: { context: 1_000_000, output: 10_000 } }
    const config = {
      model: 'scripted/scripted',
      ...{ autoupdate: false, share: 'disabled' },
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Scripted',
          options: { baseURL: `${modelUrl}/v1`, apiKey: NO_KEY },
          models: { scripted: model },
        },
      },
      mcp: { [SERVER]: { ...entry, enabled: true } },
    }
    return {
      args: ['run', '--pure', prompt],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      },
      files: { [file]: JSON.stringify(config) },
    }
  },
}
