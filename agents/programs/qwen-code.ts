import { join } from 'node:path'
import { NO_KEY, type Program, SERVER } from './program.ts'

export const qwenCode: Program = {
  ...{ name: 'qwen-code', title: 'Qwen Code', package: '@qwen-code/qwen-code', version: '0.24.4' },
  command: 'qwen',
  notes: [
    'Its tool search counts words in the names of tools most, so for “delete a note” its own `cron_delete` and `task_stop` always come first.',
    '`"alwaysLoadTools": true` in the entry of the server puts all tools into the prompt.',
    'It checks arguments itself, with the schema that the server sent. Unattended it needs `"trust": true` in the entry of the server.',
  ],
  toolName: (tool) => `mcp__${SERVER}__${tool}`,
  launch({ home, modelUrl, server, prompt, isAllowed }) {
    const entry =
      server.kind === 'http' ? { httpUrl: server.url } : { command: server.command, args: server.args }
    const settings = {
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
      ...{ privacy: { usageStatisticsEnabled: false }, telemetry: { enabled: false } },
      mcpServers: { [SERVER]: { ...entry, ...(isAllowed ? { trust: true } : {}) } },
    }
    return {
      args: ['-p', prompt, '--model', 'qwen3-coder-plus'],
      env: { OPENAI_API_KEY: NO_KEY, OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_MODEL: 'qwen3-coder-plus' },
      files: { [join(home, '.qwen', 'settings.json')]: JSON.stringify(settings) },
    }
  },
}
