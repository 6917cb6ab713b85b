/** Styles for the parts of an answer. Agents get plain text; terminals get colours. */
export interface Paint {
  type(text: string): string
  dim(text: string): string
  match(text: string): string
  /** `value` is from 0 to 1. */
  heat(text: string, value: number): string
}

const same = (text: string): string => text
export const PLAIN: Paint = { type: same, dim: same, match: same, heat: same }
