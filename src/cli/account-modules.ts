/** The commands about accounts: see `commands.ts`. */
export { audit } from './commands/accounts/audit.ts'
export { auth } from './commands/accounts/auth.ts'
export { clients } from './commands/accounts/clients.ts'
export { keys } from './commands/accounts/keys.ts'
export { members } from './commands/accounts/members.ts'
export { spaces } from './commands/accounts/spaces.ts'
export { users } from './commands/accounts/users.ts'
