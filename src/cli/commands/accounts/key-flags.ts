import { isScope, SCOPES, type Scope } from '../../../core/access/scopes.ts'
import type { KeyGrant, NewKey } from '../../../core/accounts/keys.ts'
import { UsageError } from '../../base/command.ts'
import { lifetimeOf } from './times.ts'

interface KeyFlags {
  user: string | undefined
  space: string | undefined
  scope: string | undefined
  expires: string | undefined
  label: string | undefined
  parent: string | undefined
}

/** The request of `keys create`: a key of a user for a space, or one below another. */
export function readKeyFlags(flags: KeyFlags, now: number): NewKey | { parent: string; grant: KeyGrant } {
  const { user, space, scope, expires, label, parent } = flags
  const grant: KeyGrant = {
    scopes: scopesOf(scope),
    ...(expires === undefined ? {} : { expiresAt: now + lifetimeOf('--expires', expires) }),
    ...(label === undefined ? {} : { label }),
  }
  if (parent !== undefined) {
    if (user !== undefined || space !== undefined)
      throw new UsageError('--parent names the user and the space already; omit --user and --space')
    return { parent, grant }
  }
  if (user === undefined || space === undefined)
    throw new UsageError('give --user NAME and --space NAME, or --parent ID')
  return { user, space, ...grant }
}

function scopesOf(given: string | undefined): Scope[] {
  if (given === undefined) throw new UsageError('missing --scope SCOPES')
  return given.split(',').map((word) => {
    const scope = word.trim()
    if (isScope(scope)) return scope
    throw new UsageError(
      `--scope must be some of ${SCOPES.join(', ')}, separated by commas, got ${JSON.stringify(scope)}`,
    )
  })
}
