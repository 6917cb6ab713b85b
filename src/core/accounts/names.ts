import { MemoryError, needs } from '../errors.ts'
import type { Space, User } from './model.ts'
import type { AccountReads } from './port.ts'

const USER_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/
const SPACE_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/
const LENGTH = 'at most 63 characters, the first a letter or digit'

export function isUserName(name: string): boolean {
  return USER_NAME.test(name)
}

export function checkUserName(name: string): void {
  needs(
    isUserName(name),
    `the name of a user has lower-case letters, digits, dots, underscores and dashes: ${LENGTH}`,
  )
}

export function isSpaceName(name: string): boolean {
  return SPACE_NAME.test(name)
}

export function checkSpaceName(name: string): void {
  needs(isSpaceName(name), `the name of a space has lower-case letters, digits and dashes: ${LENGTH}`)
}

const MAX_CLIENT_NAME = 100

/** What a client calls itself, in a form that can be shown: on one line, and in one direction. */
export function clientNameOf(name: string): string {
  const shown = name.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return [...shown].slice(0, MAX_CLIENT_NAME).join('')
}

export async function getUser(tx: AccountReads, name: string): Promise<User> {
  const user = await tx.user({ name })
  if (user) return user
  throw new MemoryError('NOT_FOUND', `there is no user "${name}"; list them with \`remindb users list\``)
}

export async function getSpace(tx: AccountReads, name: string): Promise<Space> {
  const space = await tx.space({ name })
  if (space) return space
  throw new MemoryError('NOT_FOUND', `there is no space "${name}"; list them with \`remindb spaces list\``)
}
