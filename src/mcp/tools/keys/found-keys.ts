import { rows } from '../output.ts'

/** Schema of keys that a search found. */
export const FOUND_KEYS = rows(
  'memory_id',
  'key',
  'value',
  'tags',
  'owner_client_id',
  'score',
  'semantic_score',
  'keyword_score',
  'recency_score',
  'created_at',
  'updated_at',
  'recall_count',
  'last_accessed_at',
)
