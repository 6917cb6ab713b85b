import { join } from 'node:path'
import { type Launch, type Program, SERVER, type ServerEntry, type Setup } from './program.ts'

const COMMON = {
  ...{ package: '@openai/codex', version: '0.166.0', command: 'codex' },
  toolName: (tool: string) => `mcp__${SERVER}__${tool}`,
}

/** Its model decides how tools are offered: this one calls them, after a search. */
export const codex: Program = {
  ...{ name: 'codex', title: 'Codex', ...COMMON },
  notes: [
    'The model is `gpt-5.5`. Tools that are not destructive run unattended; `default_tools_approval_mode = "approve"` lets all of them run.',
  ],
  launch: (setup) => launchWith('gpt-5.5', setup),
}

/** This one writes programs that call them. */
export const codexCodeMode: Program = {
  ...{ name: 'codex-code', title: 'Codex, code mode', ...COMMON },
  notes: [
    'The model is `gpt-6-sol`: it calls tools from JavaScript, and finds them in a list. Here it prints the whole result; it could print the text only.',
  ],
  launch: (setup) => launchWith('gpt-6-sol', setup),
}

function launchWith(model: string, { home, modelUrl, server, prompt, isAllowed }: Setup): Launch {
  const folder = join(home, '.codex')
  const config = [
    `model = "${model}"`,
    'model_provider = "scripted"',
    'check_for_update_on_startup = false',
    '[analytics]',
    'enabled = false',
    '[model_providers.scripted]',
    'name = "Scripted"',
    `base_url = "${modelUrl}/v1"`,
    'wire_api = "responses"',
    `[mcp_servers.${SERVER}]`,
    ...entryOf(server),
    ...(isAllowed ? ['default_tools_approval_mode = "approve"'] : []),
    '',
  ]
  return {
    args: ['exec', '--skip-git-repo-check', prompt],
    env: { CODEX_HOME: folder },
    files: { [join(folder, 'config.toml')]: config.join('\n') },
  }
}

function entryOf(server: ServerEntry): string[] {
  if (server.kind === 'http') return [`url = ${JSON.stringify(server.url)}`]
  return [`command = ${JSON.stringify(server.command)}`, `args = ${JSON.stringify(server.args)}`]
}
