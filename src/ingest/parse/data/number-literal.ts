/** A number as its author wrote it: `1.10` and a 20-digit id lose something as a floating point number. */
export class NumberLiteral {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** The grammar that JSON and TOON share. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

export function isNumberText(text: string): boolean {
  return NUMBER.test(text)
}
