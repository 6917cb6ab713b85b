/** The domain types that everything else uses. `docs/reference/glossary.md` explains each one. */

export const NODE_TYPES = ['heading', 'list', 'table', 'code', 'text', 'kv', 'preamble', 'embed'] as const
export type NodeType = (typeof NODE_TYPES)[number]

export const FORMATS = [
  'plain',
  'toon',
  'latex',
  'mathml',
  'image',
  'video',
  'audio',
  'iframe',
  'embed',
  'svg',
  'canvas',
] as const
export type Format = (typeof FORMATS)[number]

/** A link in a text, `[[Label; w=2; source=a.md; id=…]]`. Empty: not given. */
export interface Link {
  label: string
  weight: number
  /** The file that the target is in. */
  source: string
  /** The target's id; overrides everything else. */
  id: string
}

/** The result of parsing a text: a tree of blocks in document order. A block has no identity yet. */
export interface Block {
  type: NodeType
  format: Format
  text: string
  /** Only where the label cannot be derived from type, format and text (`labelOf`). */
  label?: string
  /** In the order of the text, which keeps only `[[Label]]` of each. */
  links?: Link[]
  children: Block[]
}

export const DOCUMENT_KINDS = ['source', 'note', 'record', 'key', 'file'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** Where a document lives: one shape for each door. */
export type Address =
  | { kind: 'source'; root: string; path: string }
  | { kind: 'note'; id: string }
  | { kind: 'record'; id: string }
  | { kind: 'key'; key: string }
  | { kind: 'file'; node: string; scope: 'global' | 'perThread'; thread: string; path: string }

/** The part of a node that a snapshot versions. `label` is null when it derives from the rest. */
export interface NodeState {
  parentKey: number | null
  position: string
  type: NodeType
  format: Format
  label: string | null
  /** Digest of the text: 32 hex digits. */
  digest: string
  /** The links of the text (`encodeLinks`), null for none. */
  links: string | null
}

/** What one snapshot did to one node. */
export type Op = 'add' | 'mod' | 'rem'
