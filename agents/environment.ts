import { delimiter, dirname, join } from 'node:path'

/** Where a program keeps its files, all of it below one folder. */
export function userFolders(home: string): Record<string, string> {
  return {
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
  }
}

/** Nothing of the user's: no keys, no settings, and no way out but by the proxy. */
export function environmentOf(folder: string, proxy: string): Record<string, string> {
  const home = join(folder, 'home')
  const path = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, proxy])
  return {
    ...Object.fromEntries(proxies),
    ...{ NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost' },
    ...{ PATH: path, LANG: 'C.UTF-8', TERM: 'dumb', NO_COLOR: '1' },
    ...{ HOME: home, TMPDIR: join(folder, 'tmp'), ...userFolders(home) },
  }
}
