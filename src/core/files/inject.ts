import type { Placement } from './connector-config.ts'

/** A message of a prompt, as far as its place depends on it. */
export interface ChatMessage {
  role: string
  /** What stands for older messages: the memory goes behind it. */
  isSummary?: boolean
}

export interface InjectedMessage {
  role: 'system'
  content: string
}

/**
 * after_system: behind the system messages at the beginning and the summary, if there is one; before everything that was said.
 * last_message: at the end.
 */
export function placeMessage<M extends ChatMessage>(
  messages: readonly M[],
  message: InjectedMessage,
  placement: Placement,
): (M | InjectedMessage)[] {
  if (placement === 'last_message') return [...messages, message]
  const at = messages.findIndex(({ role, isSummary }) => role !== 'system' && isSummary !== true)
  const end = at === -1 ? messages.length : at
  return [...messages.slice(0, end), message, ...messages.slice(end)]
}
