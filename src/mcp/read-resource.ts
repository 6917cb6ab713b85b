import type { ReadResourceResult } from '@modelcontextprotocol/server'
import type { AuditEvent } from '../core/audit/events.ts'
import { MemoryError } from '../core/errors.ts'
import { UnknownUri } from './model/error-words.ts'
import { checkUri, logUnexpected, resourceError } from './model/errors.ts'
import { isMemoryUri } from './model/names.ts'
import type { Call, Request } from './model/request.ts'
import { mimeTypeOf, type ResourceContent } from './model/resource.ts'
import { isServed } from './model/scheme.ts'
import type { Served } from './model/served.ts'
import type { FoundResource } from './model/uri.ts'
import { findResource, scopeOfUri } from './resources/list.ts'

/** Finds a resource. A read leaves no trace in the log: who watches the log must not feed it. Of content, the audit has it. */
export function prepareRead(
  served: Pick<Served, 'memory' | 'observer' | 'log' | 'schemes'>,
  {
    params: { uri },
    caller,
    signal,
  }: Pick<Request<{ uri: string }>, 'params' | 'caller'> & { signal?: AbortSignal },
  find = findResource,
): Call<ReadResourceResult> {
  checkUri(uri)
  return {
    name: 'resources/read',
    access: 'reads',
    scope: scopeOfUri(uri, find),
    async run() {
      // What is not served is as unknown as what never was.
      const found = isServed(served.schemes, uri) ? find(uri) : undefined
      if (!found) throw isMemoryUri(uri) ? new UnknownUri(uri) : notFound(uri)
      const content = await contentOf(served, found, signal)
      served.memory.record(caller, eventsOf(found))
      const said = typeof content === 'string' ? { text: content } : content
      return { contents: [{ uri, mimeType: mimeTypeOf(found.resource), ...said }] }
    },
    fail(error) {
      logUnexpected(served.log, 'resource read failed', error)
      throw resourceError(error, uri)
    },
  }
}

async function contentOf(
  { memory, observer }: Pick<Served, 'memory' | 'observer'>,
  { resource, variables }: FoundResource,
  signal?: AbortSignal,
): Promise<ResourceContent> {
  return resource.isOfServer
    ? resource.read(observer, variables)
    : resource.read(await memory.observer(signal), variables)
}

function eventsOf({ resource, variables }: FoundResource): readonly AuditEvent[] {
  return resource.isOfServer ? [] : (resource.audited?.(variables) ?? [])
}

function notFound(uri: string): MemoryError {
  return new MemoryError('NOT_FOUND', `Resource not found: ${uri}`)
}
