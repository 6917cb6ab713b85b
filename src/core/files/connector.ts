import { needs } from '../errors.ts'
import type { Placement } from './connector-config.ts'
import { type ConnectorConfig, readConnectorConfig } from './connector-config.ts'
import type { FileService, ServiceChoice } from './door.ts'
import { FileError } from './errors.ts'
import { type MemorySource, readMemorySource } from './memory-source.ts'
import { ROOT_PATH } from './path.ts'
import { fullBody, type TreeBody, treeBody } from './render.ts'

export interface RenderOptions {
  threadId?: string | undefined
  /** What a tree begins with. Default: the root. */
  path?: string
}

/** Tells a model what its memory holds, before it asks. Never warms anything. */
export interface Connector {
  readonly config: ConnectorConfig
  setMemorySource(source: MemorySource): void
  /** What is to be told; null where there is nothing. ENOTMEM where it is not wired, or has no thread but needs one. */
  render(options?: RenderOptions): Promise<InjectedMessage | null>
  /** The messages with the memory where it belongs; they themselves where there is nothing to tell. */
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

/** The thread's own files first; then, where there are none, those that every thread shares. */
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

/** A message of a prompt, as far as its place depends on it. */
interface ChatMessage {
  role: string
  /** What stands for older messages: the memory goes behind it. */
  isSummary?: boolean
}

interface InjectedMessage {
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
