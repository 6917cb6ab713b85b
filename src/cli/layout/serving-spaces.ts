import type { Palette } from '../../util/terminal/color.ts'
import { printable } from '../../util/text/printable.ts'
import { clientLines } from './clients.ts'

export interface SpacesStarted {
  /** The folder of spaces. */
  dir: string
  /** Names of the served spaces. */
  spaces: readonly string[]
  auth: 'off' | 'keys' | 'accounts'
  /** Where the first administrator is made. Undefined: there is one, or there are no people. */
  setup?: { link: string; file: string } | undefined
}

/** The source of the key in the pasted configurations. */
const KEY_VARIABLE = 'MEMORY_KEY'
const MOST_NAMES = 10

/** The addresses of the spaces, and the next steps. `base`: the URL of the server. */
export function spacesLines(base: string, started: SpacesStarted, palette: Palette): string[] {
  const { dir, spaces, auth } = started
  const [first] = spaces
  if (first === undefined)
    return [
      `${palette.bold('remindb serves')} ${printable(dir)} at ${palette.bold(base)}; it has no spaces yet. Create one; it is served immediately:`,
      `  remindb spaces create NAME --spaces ${printable(dir)}`,
      ...(started.setup ? ['', ...setupLines(started, palette)] : []),
    ]
  const reach = { url: `${base}/s/${first}/mcp`, ...(auth === 'keys' ? { keyVariable: KEY_VARIABLE } : {}) }
  return [
    `${palette.bold('remindb serves')} ${printable(dir)} at ${palette.bold(`${base}/s/{space}/mcp`)}`,
    `Spaces: ${listed(spaces)}`,
    '',
    ...setupLines(started, palette),
    ...(auth === 'keys' ? keyLines(first, dir) : []),
    ...(auth === 'accounts' ? accountLines(dir) : []),
    ...clientLines(reach, palette),
    '',
    'Press Ctrl-C to stop.',
  ]
}

function setupLines({ setup }: SpacesStarted, palette: Palette): string[] {
  if (!setup) return []
  return [
    'There is no administrator yet. Open this link within 30 minutes to become one:',
    `  ${palette.bold(setup.link)}`,
    `It is also in ${printable(setup.file)}.`,
    '',
  ]
}

function accountLines(dir: string): string[] {
  return [
    'Clients open a page to sign in. For another user, and what they may do in a space:',
    `  remindb users create ada --password-stdin --spaces ${printable(dir)}`,
    `  remindb members add ada --role writer --space SPACE --spaces ${printable(dir)}`,
    '',
  ]
}

function keyLines(space: string, dir: string): string[] {
  return [
    'Every client needs an API key. For a new user and a first key:',
    `  remindb users create ada --spaces ${printable(dir)}`,
    `  remindb keys create --user ada --space ${space} --scope memories:read,memories:write --spaces ${printable(dir)}`,
    `Put the key into the environment of the agent as ${KEY_VARIABLE}.`,
    '',
  ]
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMES
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}
