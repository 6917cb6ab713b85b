import type { User } from '../../../core/accounts/model.ts'
import { isoTime } from '../../layout/times.ts'
import type { Answer } from './with-accounts.ts'

/** What happened to a user. `password`: one that was generated, and that nobody sees again. */
export function changed(what: string, user: User, password?: string): Answer {
  const line = `${what}: ${user.isAdmin ? 'administrator' : 'user'} ${user.name}`
  if (password === undefined) return { json: userJson(user), lines: [line] }
  const lines = [
    line,
    '',
    password,
    '',
    `It is shown only now: only its hash is stored. \`remindb users reset ${user.name}\` makes another one.`,
  ]
  return { json: { ...userJson(user), password }, lines }
}

export function userJson({ id, name, isAdmin, createdAt, disabledAt }: User) {
  return { id, name, admin: isAdmin, created_at: isoTime(createdAt), disabled_at: isoTime(disabledAt) }
}
