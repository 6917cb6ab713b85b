import {
  attribute,
  BLOCKS,
  CONTROLS,
  DRAWINGS,
  type HtmlElement,
  type HtmlNode,
  isContainer,
  isElement,
  PARAGRAPHS,
  SKIPPED,
  shownChildren,
} from '../html-elements.ts'

/** The parts of an HTML flow: runs of inline content, and blocks that do more than group. */
export type FlowPiece =
  | { kind: 'inline'; nodes: HtmlNode[]; isParagraph: boolean }
  | { kind: 'block'; element: HtmlElement }

/** In order. Elements that only group are entered, and end a run at both of their tags. */
export function flowPieces(nodes: readonly HtmlNode[]): FlowPiece[] {
  const flow = new Flow()
  flow.visit(nodes)
  flow.closeRun()
  return flow.pieces
}

class Flow {
  readonly pieces: FlowPiece[] = []
  #run: HtmlNode[] = []
  #paragraphs = 0
  #controls = 0

  visit(nodes: readonly HtmlNode[]): void {
    for (const node of nodes) {
      if (!isElement(node)) this.#run.push(node)
      else if (BLOCKS.has(node.name)) this.#visitBlock(node)
      else if (node.holdsBlock) this.#visitInline(node)
      else if (!SKIPPED.has(node.name)) this.#run.push(node)
    }
  }

  closeRun(): void {
    if (this.#run.length > 0) {
      this.pieces.push({ kind: 'inline', nodes: this.#run, isParagraph: this.#paragraphs > 0 })
    }
    this.#run = []
  }

  #visitInline(element: HtmlElement): void {
    const isControl = CONTROLS.has(element.name)
    if (isControl) this.#controls++
    this.visit(shownChildren(element))
    if (isControl) this.#controls--
  }

  /** A drawing on a button, or one hidden from some readers, only decorates. */
  #isIcon(element: HtmlElement): boolean {
    return DRAWINGS.has(element.name) && (this.#controls > 0 || attribute(element, 'aria-hidden') === 'true')
  }

  #visitBlock(element: HtmlElement): void {
    if (this.#isIcon(element)) return
    this.closeRun()
    if (!isContainer(element)) {
      this.pieces.push({ kind: 'block', element })
      return
    }
    const isParagraph = PARAGRAPHS.has(element.name)
    if (isParagraph) this.#paragraphs++
    this.visit(element.children)
    this.closeRun()
    if (isParagraph) this.#paragraphs--
  }
}
