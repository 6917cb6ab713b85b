import type { ReadResourceResult } from '@modelcontextprotocol/server'
import { MemoryError } from '../core/errors.ts'
import { logUnexpected, resourceError } from './errors.ts'
import { findResource } from './resources/list.ts'
import type { Served } from './served.ts'

/** The one way to a resource. It leaves no trace, not even in the log: who watches the log must not feed it. */
export async function readResource(served: Served, uri: string): Promise<ReadResourceResult> {
  try {
    const found = findResource(uri)
    if (!found) throw new MemoryError('NOT_FOUND', `Resource not found: ${uri}`)
    const text = await found.resource.read(await served.observer(), found.variables)
    return { contents: [{ uri, mimeType: 'application/json', text }] }
  } catch (error) {
    logUnexpected(served.log, 'resource read failed', error)
    throw resourceError(error, uri)
  }
}
