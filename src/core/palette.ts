/** Styles for text on a terminal. Agents get plain text. */
export interface Palette {
  bold(text: string): string
  dim(text: string): string
  green(text: string): string
  yellow(text: string): string
  red(text: string): string
  cyan(text: string): string
  /** `fraction` is from 0 to 1. */
  heat(text: string, fraction: number): string
}

const same = (text: string): string => text

export const PLAIN_PALETTE: Palette = {
  ...{ bold: same, dim: same, green: same, yellow: same, red: same, cyan: same, heat: same },
}
