import type { ForestEnvelope, ForestNode } from '../src/index.ts'
import type { TurnMap } from './turns.ts'

/** `## Message 12, user`: a section for each message. */
const MESSAGE = /^Message (\d+), (?:user|assistant)\b/

/** A message of the user has an even number; the answer to it has the next one. Both are one exchange. */
export function exchangeOf(message: number): string {
  return String(message - (message % 2))
}

/** Whatever is in the section of a message belongs to its exchange; the heading that names the message does not. */
export function mapExchanges({ roots }: ForestEnvelope): TurnMap {
  const turnOf = new Map<string, string>()
  const visit = (node: ForestNode, exchange: string | undefined): void => {
    const message = node.type === 'heading' ? MESSAGE.exec(node.label)?.[1] : undefined
    const inside = message === undefined ? exchange : exchangeOf(Number(message))
    if (message === undefined && inside !== undefined) turnOf.set(node.id, inside)
    for (const child of node.children) visit(child, inside)
  }
  for (const root of roots) visit(root, undefined)
  return { turnOf, problems: turnOf.size === 0 ? ['the notes have no sections "## Message 0, user"'] : [] }
}
