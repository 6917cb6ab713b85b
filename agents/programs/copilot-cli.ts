import { join } from 'node:path'
import { type Launch, NO_KEY, type Program, SERVER, type Setup } from './program.ts'

const COMMON = {
  ...{ package: '@github/copilot', version: '1.0.102', command: 'copilot' },
  toolName: (tool: string) => `${SERVER}-${tool}`,
}

/** Its model decides how tools are offered: to this one as they are. */
export const copilotCli: Program = {
  ...{ name: 'copilot-cli', title: 'Copilot CLI', ...COMMON },
  notes: ['The model is `gpt-4.1`. `--allow-all-mcp-server-instructions` shows it the instructions, whole.'],
  launch: (setup) =>
    launchWith(setup, { COPILOT_PROVIDER_BASE_URL: `${setup.modelUrl}/v1`, COPILOT_MODEL: 'gpt-4.1' }),
}

/** To this one behind a search. */
export const copilotCliClaude: Program = {
  ...{ name: 'copilot-claude', title: 'Copilot CLI, Claude', ...COMMON },
  notes: [
    'The model is `claude-sonnet-4.5`. It searches tools with a regular expression: here the longer words of the query. Matches are listed by name, and all of them are loaded.',
  ],
  launch: (setup) =>
    launchWith(setup, {
      COPILOT_PROVIDER_BASE_URL: setup.modelUrl,
      COPILOT_PROVIDER_TYPE: 'anthropic',
      COPILOT_MODEL: 'claude-sonnet-4.5',
    }),
}

function launchWith({ home, server, prompt, isAllowed }: Setup, model: Record<string, string>): Launch {
  const entry =
    server.kind === 'http'
      ? { type: 'http', url: server.url }
      : { type: 'local', command: server.command, args: server.args }
  const config = { mcpServers: { [SERVER]: { ...entry, tools: ['*'] } } }
  const folder = join(home, '.copilot')
  return {
    args: ['-p', prompt, '--no-auto-update', ...(isAllowed ? ['--allow-all-tools'] : [])],
    env: { COPILOT_HOME: folder, COPILOT_OFFLINE: 'true', COPILOT_PROVIDER_API_KEY: NO_KEY, ...model },
    files: { [join(folder, 'mcp-config.json')]: JSON.stringify(config) },
  }
}
