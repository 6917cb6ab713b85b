import type { ProtocolError } from '@modelcontextprotocol/server'
import { checkUri, invalidParams } from '../model/errors.ts'
import type { Call, Request } from '../model/request.ts'
import { isServed, type Scheme } from '../model/scheme.ts'
import type { Served } from '../model/served.ts'
import { short } from '../model/uri.ts'
import { scopeOfUri } from '../resources/list.ts'
import type { Audience } from './audience.ts'
import type { Held } from './held.ts'
import { SUBSCRIBABLE, uriOf } from './subscribable.ts'

/** What a client of the old era is subscribed to, and what it can be. */
export interface Subscriptions {
  subscribed: Pick<Held, 'add' | 'delete'>
  audience: Pick<Audience, 'canSubscribe'>
}

type UriRequest = Request<{ uri: string }>

export function prepareSubscribe(
  served: Served,
  { params: { uri } }: UriRequest,
  { subscribed, audience }: Subscriptions,
): Call<object> {
  checkUri(uri)
  return {
    ...{ name: 'resources/subscribe', access: 'reads', scope: scopeOfUri(uri), isQuick: true },
    async run() {
      if (!audience.canSubscribe(uri)) throw notSubscribable(uri, served.schemes)
      await subscribed.add(uri)
      return {}
    },
  }
}

export function prepareUnsubscribe(
  _: Served,
  { params: { uri } }: UriRequest,
  { subscribed }: Subscriptions,
): Call<object> {
  return {
    ...{ name: 'resources/unsubscribe', access: 'reads', scope: 'memories:read', isQuick: true },
    async run() {
      subscribed.delete(uri)
      return {}
    },
  }
}

function notSubscribable(uri: string, schemes: readonly Scheme[]): ProtocolError {
  const known = [...SUBSCRIBABLE.map(uriOf), 'memory:// views, keys and their index']
  const offered = known.filter((one) => isServed(schemes, one)).join(', ')
  return invalidParams(`resource "${short(uri)}" is not subscribable; subscribable are ${offered}`)
}
