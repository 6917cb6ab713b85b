import type { Access } from '../../mcp/model/access.ts'
import type { Config } from './config.ts'

/** The most that a client's call may do. */
export function allowedAccess(config: Config): Access {
  if (config['server.read_only']) return 'reads'
  return config['server.no_destructive'] ? 'writes' : 'removes'
}
