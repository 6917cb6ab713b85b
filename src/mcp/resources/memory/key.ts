import { readEvent } from '../../../core/audit/reads.ts'
import { MemoryError } from '../../../core/errors.ts'
import { pythonRepr } from '../../../util/text/python-text.ts'
import { KEY_TEMPLATE, RESERVED_KEY_TEMPLATE } from '../../model/names.ts'
import type { Observer } from '../../model/observer.ts'
import type { MemoryResource, ResourceContent } from '../../model/resource.ts'

/** The value of a key. Reading it here counts and warms nothing. */
export const key: MemoryResource = {
  uri: KEY_TEMPLATE,
  name: 'Memory content',
  title: 'Memory content',
  scope: 'memories:read',
  description: 'The value of one key; memory://_index lists the keys',
  mimeType: 'text/plain',
  audited: ({ key: name }) => [readEvent('memory_recalled', { key: name })],
  read: (observer, { key: name = '' }) => readKey(observer, name),
  stamp: (observer, { key: name = '' }) => observer.keyVersion(name),
}

/** As `key`, for keys whose names are taken: those that begin with `_`, and those of other resources. */
export const reservedKey: MemoryResource = {
  ...key,
  uri: RESERVED_KEY_TEMPLATE,
  name: 'Memory content of a reserved name',
  title: 'Memory content of a reserved name',
  scope: 'memories:read',
  description: 'As memory://{key}, for keys that begin with _ or have the name of another resource',
}

async function readKey(observer: Observer, name: string): Promise<ResourceContent> {
  const content = await observer.findKey(name)
  if (!content) throw new MemoryError('NOT_FOUND', `Memory not found: ${pythonRepr(name)}`)
  if (content.kind === 'redacted')
    throw new MemoryError('REDACTED', `Memory has been redacted: ${pythonRepr(name)}`)
  if (content.kind === 'text') return content.text
  return { blob: content.base64, mimeType: content.contentType }
}
