import { MemoryError } from '../errors.ts'
import type { AuditEntry, AuditHead, AuditWrite } from '../port/audit.ts'
import type {
  ApiKey,
  Grant,
  Login,
  Member,
  OAuthClient,
  OAuthRecord,
  Password,
  ServerSecret,
  Space,
  User,
} from './model.ts'

/** Storage for accounts. Nothing here decides who may do what. */
export interface AccountStore {
  /** All reads of `fn` see the same moment. */
  read<T>(fn: (tx: AccountReads) => Promise<T>): Promise<T>
  /** Stores everything durably, or nothing. Writers of all processes run one after another. */
  write<T>(fn: (tx: AccountTx) => Promise<T>): Promise<T>
  /**
   * Calls `onChange` within half a second after anything was stored, by this process or another, and after the store was lost:
   * then every call throws UNAVAILABLE. Returns how to stop that.
   */
  watch(onChange: () => void): () => void
  /** A consistent copy. Throws where `file` exists. */
  backup(file: string): Promise<void>
  close(): Promise<void>
}

/** Lists are in creation order. A missing row is undefined, or absent from a list. */
export interface AccountReads {
  user(by: { id: string } | { name: string }): Promise<User | undefined>
  users(): Promise<User[]>
  space(by: { id: string } | { name: string }): Promise<Space | undefined>
  spaces(): Promise<Space[]>
  member(spaceId: string, userId: string): Promise<Member | undefined>
  members(of: { spaceId?: string; userId?: string }): Promise<Member[]>
  key(id: string): Promise<ApiKey | undefined>
  keys(of?: { userId?: string; spaceId?: string; parentId?: string }): Promise<ApiKey[]>
  /** How many keys of a user in a space were made with keys, and are neither revoked nor expired at this time. */
  countLiveChildren(of: { userId: string; spaceId: string }, at: number): Promise<number>
  /** In one round trip: every request asks. */
  keyAccess(id: string): Promise<KeyAccess | undefined>
  password(userId: string): Promise<Password | undefined>
  login(id: string): Promise<Login | undefined>
  client(id: string): Promise<OAuthClient | undefined>
  clients(): Promise<OAuthClient[]>
  grant(id: string): Promise<Grant | undefined>
  grants(of?: { userId?: string; clientId?: string; spaceId?: string }): Promise<Grant[]>
  record(kind: string, by: { id: string } | { uid: string }): Promise<OAuthRecord | undefined>
  /** An access token with everything that decides whether it works, in one round trip. */
  tokenAccess(id: string): Promise<TokenAccess | undefined>
  secrets(kind: ServerSecret['kind']): Promise<ServerSecret[]>
  /** Undefined before the first entry. */
  auditHead(): Promise<AuditHead | undefined>
  /** Entries of the audit with higher numbers, in the order of their numbers. */
  audit(page: { after: number; limit: number }): Promise<AuditEntry[]>
}

/** A key with everything that decides whether it works. */
export interface KeyAccess {
  key: ApiKey
  user: User
  space: Space
  /** Undefined: the user is not a member of the space. */
  member: Member | undefined
  /** The ancestors of a key: the key that created it, the one that created that, and so on. */
  parents: ApiKey[]
}

/** The kind of the records that are bearer tokens. */
export const ACCESS_TOKEN = 'AccessToken'

export interface TokenAccess {
  token: OAuthRecord
  grant: Grant
  user: User
  space: Space
  /** Undefined: the user is not a member of the space. */
  member: Member | undefined
}

export interface AccountTx extends AccountReads {
  /** Stores a row, in place of the one with the same id. Throws `nameTaken` where another user or space has its name. */
  putUser(user: User): Promise<void>
  putSpace(space: Space): Promise<void>
  putMember(member: Member): Promise<void>
  putKey(key: ApiKey): Promise<void>
  putPassword(password: Password): Promise<void>
  putLogin(login: Login): Promise<void>
  putClient(client: OAuthClient): Promise<void>
  putGrant(grant: Grant): Promise<void>
  putRecord(record: OAuthRecord): Promise<void>
  putSecret(secret: ServerSecret): Promise<void>
  /**
   * What belongs to a user goes with it: members, keys, password, logins, grants and their records, clients. A space's members,
   * keys and grants too; a key's children with it.
   */
  removeUser(id: string): Promise<void>
  removeSpace(id: string): Promise<void>
  removeMember(spaceId: string, userId: string): Promise<void>
  removeKey(id: string): Promise<void>
  /** One, or all of a user. */
  removeLogins(of: { id: string } | { userId: string }): Promise<void>
  /** With its grants. */
  removeClient(id: string): Promise<void>
  /** One, or all of a grant. */
  removeRecords(of: { kind: string; id: string } | { grantId: string }): Promise<void>
  removeSecret(id: string): Promise<void>
  /** Records, logins and secrets that expired before this time. */
  removeExpired(before: number): Promise<void>
  putAudit(change: AuditWrite): Promise<void>
}

type OAuthReads = 'password' | 'login' | 'client' | 'clients' | 'grant' | 'grants' | 'record' | 'secrets'
type OAuthPuts = `put${'Password' | 'Login' | 'Client' | 'Grant' | 'Record' | 'Secret'}`
type OAuthRemovals = `remove${'Logins' | 'Client' | 'Records' | 'Secret' | 'Expired'}`

/** The part of a transaction for signing in and for the authorization server. */
export type OAuthTx = Pick<AccountTx, OAuthReads | OAuthPuts | OAuthRemovals>

export function nameTaken(kind: 'user' | 'space', name: string): MemoryError {
  return new MemoryError('CONFLICT', `there is a ${kind} "${name}" already; choose another name`)
}
