import type { Block } from '../../core/model.ts'

interface Section {
  level: number
  children: Block[]
}

/** Puts blocks under the headings they follow. */
export class Sections {
  readonly roots: Block[] = []
  readonly #open: Section[] = []
  readonly #levels: Map<Block, number> | undefined

  constructor(levels?: Map<Block, number>) {
    this.#levels = levels
  }

  append(blocks: readonly Block[]): void {
    const children = this.#open.at(-1)?.children ?? this.roots
    // Not `push(...blocks)`: a long text can be split into more pieces than a call takes arguments.
    for (const block of blocks) children.push(block)
  }

  /** Only a heading of a higher level closes a section, so a jump from H1 to H3 is one step down. */
  openSection(level: number, heading: Block): void {
    while (this.#open.length > 0 && (this.#open.at(-1)?.level ?? 0) >= level) this.#open.pop()
    this.append([heading])
    this.#open.push({ level, children: heading.children })
    this.#levels?.set(heading, level)
  }
}
