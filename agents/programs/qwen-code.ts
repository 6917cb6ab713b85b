import { join } from 'node:path'
import { NO_KEY, type Program, SERVER } from './program.ts'

export const qwenCode: Program = {
  ...{ name: 'qwen-code', title: 'Qwen Code', package: '@qwen-code/qwen-code', version: '0.24.4' },
  command: 'qwen',
  notes: [
    'Its tool search gives a tool 2 points for each word of the query in its description, and more only for words in its name or in hints that only its own tools have. So for “delete a note” `MemoryForget` has 4, and comes after its own `cron_delete`, `task_stop` and `exit_worktree` whatever it is described with.',
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
