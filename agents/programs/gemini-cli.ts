import { join } from 'node:path'
import { NO_KEY, type Program, SERVER } from './program.ts'

export const geminiCli: Program = {
  ...{ name: 'gemini-cli', title: 'Gemini CLI', package: '@google/gemini-cli', version: '0.61.0' },
  command: 'gemini',
  notes: [
    'Unattended, tools that would need approval are not offered at all; `"trust": true` in the entry of the server offers them.',
    'It checks arguments itself, with the schema that the server sent.',
  ],
  toolName: (tool) => `mcp_${SERVER}_${tool}`,
  launch({ home, modelUrl, server, prompt, isAllowed }) {
    const entry =
      server.kind === 'http' ? { httpUrl: server.url } : { command: server.command, args: server.args }
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true },
      ...{ privacy: { usageStatisticsEnabled: false }, telemetry: { enabled: false } },
      mcpServers: { [SERVER]: { ...entry, ...(isAllowed ? { trust: true } : {}) } },
    }
    return {
      args: ['-p', prompt, '--model', 'gemini-2.5-pro', '--skip-trust'],
      env: {
        GEMINI_API_KEY: NO_KEY,
        GOOGLE_GEMINI_BASE_URL: modelUrl,
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
      },
      files: { [join(home, '.gemini', 'settings.json')]: JSON.stringify(settings) },
    }
  },
}
