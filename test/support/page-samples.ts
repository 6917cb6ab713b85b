import { type ClientsModel, clientsPage, type ShownGrant } from '../../src/http/pages/clients.ts'
import { type ConsentModel, consentPage } from '../../src/http/pages/consent.ts'
import type { HtmlPage } from '../../src/http/pages/html-page.ts'
import { type LoginModel, loginPage } from '../../src/http/pages/login.ts'
import { MESSAGES, messagePage } from '../../src/http/pages/message.ts'
import { redirectTarget } from '../../src/http/pages/redirect-target.ts'
import { type SetupModel, setupPage } from '../../src/http/pages/setup.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 20, 9, 30)

export const LOGIN: LoginModel = { action: '/auth/login', next: '/auth/clients', csrf: 'csrf-token' }

export const SETUP: SetupModel = { action: '/auth/setup', csrf: 'csrf-token' }

export const CONSENT: ConsentModel = {
  action: '/auth/consent/abc',
  csrf: 'csrf-token',
  user: 'ada',
  client: { host: 'claude.ai', name: 'Claude', isVerifiedHost: true },
  redirect: redirectTarget('https://claude.ai/api/mcp/auth_callback'),
  space: 'team',
  spaces: [],
  scopes: [
    {
      value: 'memories:read',
      label: 'Read',
      description: 'Search the memory, and follow its history and links.',
      isSelected: true,
    },
    {
      value: 'memories:write',
      label: 'Write',
      description: 'Add to the memory, change it and forget. Every change can be undone.',
      isSelected: true,
    },
  ],
}

/** As Claude Code asks: its website vouches for it, but the answer goes to this computer. */
export const LOCAL_CONSENT: ConsentModel = {
  ...CONSENT,
  client: { host: 'claude.ai', name: 'Claude Code', isVerifiedHost: true },
  redirect: redirectTarget('http://localhost:58135/callback'),
  space: undefined,
  spaces: [
    { name: 'team', isReadOnly: false },
    { name: 'research', isReadOnly: true },
  ],
}

export const GRANTS: readonly ShownGrant[] = [
  {
    id: 'g1',
    client: { host: 'claude.ai', name: 'Claude Code' },
    space: 'team',
    scopes: ['read', 'write'],
    createdAt: NOW - 17 * DAY,
    lastUsedAt: NOW - 60_000,
    expiresAt: NOW + 73 * DAY,
  },
  {
    id: 'g2',
    client: { host: 'vscode.dev', name: 'Visual Studio Code' },
    space: 'research',
    scopes: ['read'],
    createdAt: NOW - 90 * DAY,
    lastUsedAt: NOW - 4 * DAY,
    expiresAt: null,
  },
  {
    id: 'g3',
    client: { host: 'chatgpt.com', name: 'ChatGPT' },
    space: 'team',
    scopes: ['read', 'write'],
    createdAt: NOW - DAY,
    lastUsedAt: null,
    expiresAt: NOW + 29 * DAY,
  },
]

export const CLIENTS: ClientsModel = {
  csrf: 'csrf-token',
  user: 'ada',
  grants: GRANTS,
  urls: ['https://memory.example.org/s/team/mcp'],
}

/** Every page as a person may see it, by the name of its screenshot. */
export const SAMPLES: Readonly<Record<string, HtmlPage>> = {
  login: loginPage(LOGIN),
  'login-for-client': loginPage({
    ...LOGIN,
    user: 'ada',
    error: 'The name or the password is wrong.',
    client: { host: 'claude.ai', name: 'Claude', isVerifiedHost: true },
  }),
  setup: setupPage(SETUP),
  consent: consentPage(CONSENT),
  'consent-local': consentPage(LOCAL_CONSENT),
  'consent-unverified': consentPage({
    ...CONSENT,
    client: { host: 'cursor://anysphere.cursor-mcp', name: 'Cursor', isVerifiedHost: false },
    redirect: redirectTarget('cursor://anysphere.cursor-mcp/oauth/callback'),
  }),
  clients: clientsPage(CLIENTS),
  'clients-empty': clientsPage({ ...CLIENTS, grants: [], revoked: { client: 'Claude Code', space: 'team' } }),
  message: messagePage(MESSAGES.tooMany),
}
