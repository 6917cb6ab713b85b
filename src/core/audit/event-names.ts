/** What is done to a space. */
const WRITE_EVENTS = [
  'memory_created',
  'memory_updated',
  'memory_deleted',
  'memory_redacted',
  'memory_expired',
  'memory_archived',
  'node_written',
  'node_summarized',
  'node_forgotten',
  'node_pinned',
  'node_unpinned',
  'nodes_related',
  'nodes_unrelated',
  'memory_rolled_back',
  'memory_restored',
  'memory_reverted',
  'history_erased',
  'history_pruned',
  'checkpoint_made',
  'checkpoint_removed',
  'files_compiled',
  'memory_imported',
  'memory_repaired',
  'backup_restored',
] as const

/** What is read there. */
const READ_EVENTS = [
  'memory_recalled',
  'memory_listed',
  'memory_searched',
  'context_summarized',
  'history_read',
] as const

/** What is done to accounts, in an audit of its own. */
const ACCOUNT_EVENTS = [
  'account_created',
  'account_disabled',
  'account_enabled',
  'account_limits_set',
  'account_deleted',
  'space_created',
  'space_renamed',
  'space_archived',
  'space_unarchived',
  'space_deleted',
  'member_added',
  'member_removed',
  'key_created',
  'key_rotated',
  'key_revoked',
  'key_removed',
  'login_succeeded',
  'login_failed',
  'password_set',
  'client_registered',
  'client_deleted',
  'grant_given',
  'grant_revoked',
  'token_issued',
  'token_revoked',
  'keys_rotated',
  'setup_completed',
] as const

export type WriteEvent = (typeof WRITE_EVENTS)[number]
export type ReadEvent = (typeof READ_EVENTS)[number]
export type AccountEvent = (typeof ACCOUNT_EVENTS)[number]

/** The names are locked: others look for them. */
export const AUDIT_EVENTS: readonly string[] = [...WRITE_EVENTS, ...READ_EVENTS, ...ACCOUNT_EVENTS]
