import type { ReadResourceResult } from '@modelcontextprotocol/server'
import { MemoryError } from '../core/errors.ts'
import { UnknownUri } from './error-words.ts'
import { logUnexpected, resourceError } from './errors.ts'
import { findResource } from './resources/list.ts'
import { isMemoryUri } from './resources/memory/names.ts'
import { mimeTypeOf } from './resources/resource.ts'
import { isServed } from './resources/scheme.ts'
import type { Served } from './served.ts'

/** The one way to a resource. It leaves no trace, not even in the log: who watches the log must not feed it. */
export async function readResource(
  served: Pick<Served, 'observer' | 'log' | 'schemes'>,
  uri: string,
  find = findResource,
): Promise<ReadResourceResult> {
  try {
    // What is not served is as unknown as what never was.
    const found = isServed(served.schemes, uri) ? find(uri) : undefined
    if (!found) throw isMemoryUri(uri) ? new UnknownUri(uri) : notFound(uri)
    const { resource, variables } = found
    const content = await resource.read(await served.observer(), variables)
    const said = typeof content === 'string' ? { text: content } : content
    return { contents: [{ uri, mimeType: mimeTypeOf(resource), ...said }] }
  } catch (error) {
    logUnexpected(served.log, 'resource read failed', error)
    throw resourceError(error, uri)
  }
}

function notFound(uri: string): MemoryError {
  return new MemoryError('NOT_FOUND', `Resource not found: ${uri}`)
}
