import { isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/server'
import { findSubscribable } from './subscribable.ts'

/** The SDK would acknowledge every URI: what cannot be subscribed to is left out before it sees it. */
export function narrowListen(message: JSONRPCMessage): JSONRPCMessage {
  if (!isJSONRPCRequest(message) || message.method !== 'subscriptions/listen') return message
  const params = message.params as { notifications?: { resourceSubscriptions?: unknown } } | undefined
  const wanted = params?.notifications?.resourceSubscriptions
  if (!Array.isArray(wanted)) return message
  // Each once: what is asked for is looked through with every change.
  const resourceSubscriptions = [...new Set(wanted)].filter(
    (uri) => typeof uri !== 'string' || findSubscribable(uri) !== undefined,
  )
  return {
    ...message,
    params: { ...params, notifications: { ...params?.notifications, resourceSubscriptions } },
  }
}
