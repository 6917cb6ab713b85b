import { type AliasEvent, EVENT_ID, type Event } from 'js-yaml'
import { ParseError } from '../../../core/parse-error.ts'

/** The cost of a node once every alias in it is expanded. */
interface Size {
  weight: number
  height: number
}

interface OpenNode extends Size {
  anchor: string | undefined
}

/** Ordinary reuse of a few anchors passes; `a: [*b,*b,…]` nine levels deep does not. */
const GROWTH = 10
const ALLOWANCE = 10_000

/**
 * Refuses a YAML text whose aliases make it much larger, deeper or endless, before anything is built from it.
 * One pass over the events: an alias adds the size of its target, which is already known.
 */
export function checkYamlExpansion(source: string, events: readonly Event[], maxDepth: number): void {
  const limit = source.length * GROWTH + ALLOWANCE
  const anchors = new Map<string, Size | 'open'>()
  const open: OpenNode[] = [{ weight: 0, height: 0, anchor: undefined }]

  const add = (size: Size, position: number) => {
    const parent = open.at(-1)
    if (!parent) return
    parent.weight += size.weight
    parent.height = Math.max(parent.height, size.height + 1)
    if (parent.weight > limit) refuse(source, position, 'aliases expand to too much text')
    if (parent.height + open.length > maxDepth + 3)
      refuse(source, position, `nested deeper than ${maxDepth} levels`)
  }

  let position = 0
  for (const event of events) {
    position = Math.max(position, positionOf(event))
    if (event.type === EVENT_ID.ALIAS) add(sizeOfAlias(source, event, anchors), position)
    else if (event.type === EVENT_ID.POP) {
      const node = open.pop()
      if (!node) continue
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
      add(node, position)
    } else if (event.type === EVENT_ID.SCALAR) {
      const size = { weight: 1 + event.valueEnd - event.valueStart, height: 0 }
      const anchor = anchorOf(source, event)
      if (anchor !== undefined) anchors.set(anchor, size)
      add(size, position)
    } else {
      const anchor = event.type === EVENT_ID.DOCUMENT ? undefined : anchorOf(source, event)
      if (anchor !== undefined) anchors.set(anchor, 'open')
      open.push({ weight: 1, height: 0, anchor })
    }
  }
}

function sizeOfAlias(source: string, alias: AliasEvent, anchors: ReadonlyMap<string, Size | 'open'>): Size {
  const name = source.slice(alias.anchorStart, alias.anchorEnd)
  const size = anchors.get(name)
  if (size === 'open') return refuse(source, alias.anchorStart, 'an alias is inside its own target')
  // An unknown alias is the loader's error to report.
  return size ?? { weight: 0, height: 0 }
}

function anchorOf(source: string, node: { anchorStart: number; anchorEnd: number }): string | undefined {
  return node.anchorStart < 0 ? undefined : source.slice(node.anchorStart, node.anchorEnd)
}

function positionOf(event: Event): number {
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart
  if (event.type === EVENT_ID.SCALAR) return event.valueStart
  if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) return event.start
  return 0
}

function refuse(source: string, position: number, reason: string): never {
  throw new ParseError(`refused YAML: ${reason}`, source.slice(0, position).split('\n').length)
}
