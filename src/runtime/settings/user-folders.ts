import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/** The folders of the user who runs the program, independent of the current folder. */
export interface UserFolders {
  /** Decisions: the user's own `config.json`, trusted folders, named source folders. */
  config: string
  /** Files that can be recreated at any time. */
  cache: string
}

export interface UserFoldersInput {
  env: NodeJS.ProcessEnv
  platform?: NodeJS.Platform
  home?: string
}

const NAME = 'remindb'

/** As each platform wants it. A relative path in the environment is ignored, as the XDG specification says. */
export function userFolders({
  env,
  platform = process.platform,
  home = homeFolder(),
}: UserFoldersInput): UserFolders {
  const standard = standardFolders(platform, env, home)
  return {
    config: join(absolute(env.XDG_CONFIG_HOME) ?? standard.config, NAME),
    cache: join(absolute(env.XDG_CACHE_HOME) ?? standard.cache, NAME),
  }
}

/** An account without a home has no user files: only root could write to their usual places. */
function homeFolder(): string {
  try {
    return homedir()
  } catch {
    return resolve('/')
  }
}

function standardFolders(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home: string): UserFolders {
  if (platform === 'darwin')
    return { config: join(home, 'Library', 'Application Support'), cache: join(home, 'Library', 'Caches') }
  if (platform === 'win32')
    return {
      config: absolute(env.APPDATA) ?? join(home, 'AppData', 'Roaming'),
      cache: absolute(env.LOCALAPPDATA) ?? join(home, 'AppData', 'Local'),
    }
  return { config: join(home, '.config'), cache: join(home, '.cache') }
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined
}
