import { needs } from '../errors.ts'
import { type ConnectorConfig, type Placement, readConnectorConfig } from './connector-config.ts'
import type { FileService, ServiceChoice } from './door.ts'
import { FileError } from './errors.ts'
import { type MemorySource, readMemorySource } from './memory-source.ts'
import { ROOT_PATH } from './path.ts'
import { fullBody, type TreeBody, treeBody } from './render.ts'

export interface RenderOptions {
  threadId?: string | undefined
  /** The root of the tree. Default: the root folder. */
  path?: string
}

/** Shows a model the content of its memory, before it asks. Never warms nodes. */
export interface Connector {
  readonly config: ConnectorConfig
  setMemorySource(source: MemorySource): void
  /** The message to inject; null if there is nothing. ENOTMEM if it is not wired, or needs a thread and has none. */
  render(options?: RenderOptions): Promise<InjectedMessage | null>
  /** The messages with the memory in its place; unchanged if there is nothing to show. */
  inject<M extends ChatMessage>(
    messages: readonly M[],
    options?: RenderOptions,
  ): Promise<(M | InjectedMessage)[]>
}

export function createConnector(given?: Partial<ConnectorConfig>): Connector {
  const config = readConnectorConfig(given)
  let source: ((choice?: ServiceChoice) => FileService) | undefined

  async function render(options: RenderOptions = {}): Promise<InjectedMessage | null> {
    if (!source) throw new FileError('ENOTMEM', 'Memory not connected: call setMemorySource')
    const body = await bodyOf(config, servicesOf(source, options.threadId), options.path ?? ROOT_PATH)
    return body === null ? null : { role: 'system', content: `Memory\n${body}` }
  }
  return {
    config,
    setMemorySource(next) {
      source = readMemorySource(next)
    },
    render,
    async inject(messages, options) {
      const isList =
        Array.isArray(messages) && messages.every((one) => typeof one === 'object' && one !== null)
      needs(isList, 'inject needs the messages of a prompt: a list of { role, content }')
      const message = await render(options)
      return message === null ? [...messages] : placeMessage(messages, message, config.placement)
    },
  }
}

/** The thread's files first; if there are none, those that all threads share. */
function servicesOf(source: (choice?: ServiceChoice) => FileService, threadId: string | undefined) {
  const own = source({ threadId })
  return own.memory.scope === 'perThread' ? [own, source({ scope: 'global' })] : [own]
}

async function bodyOf(
  { content, maxChars }: ConnectorConfig,
  services: readonly FileService[],
  path: string,
): Promise<string | null> {
  const tree = () => firstTree(services, path, maxChars)
  if (content === 'tree') return tree()
  for (const service of services) {
    const body = await fullBody(service, maxChars)
    if (body === undefined) return tree()
    if (body !== '') return body
  }
  return null
}

async function firstTree(services: readonly FileService[], path: string, maxChars: number): Promise<string> {
  let last: TreeBody | undefined
  for (const service of services) {
    last = await treeBody(service, path, maxChars)
    if (!last.isEmpty) break
  }
  return last?.text ?? ''
}

/** The part of a prompt message that decides the placement. */
interface ChatMessage {
  role: string
  /** A summary of older messages: the memory goes after it. */
  isSummary?: boolean
}

interface InjectedMessage {
  role: 'system'
  content: string
}

/**
 * after_system: after the leading system messages and the summary, if there is one; before the conversation.
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
