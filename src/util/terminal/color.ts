/** Colours text for a terminal, or leaves it plain. */
export interface Palette {
  bold(text: string): string
  dim(text: string): string
  green(text: string): string
  yellow(text: string): string
  red(text: string): string
  cyan(text: string): string
  /** From blue at 0 to red at 1. */
  heat(text: string, fraction: number): string
}

/** Of the 256 colours, those readable on dark and on light backgrounds. */
const HEAT = [33, 38, 36, 71, 106, 142, 178, 172, 208, 202, 196]

export function createPalette(enabled: boolean): Palette {
  const paint =
    (code: string, end: string) =>
    (text: string): string =>
      enabled && text !== '' ? `\x1b[${code}m${text}\x1b[${end}m` : text
  return {
    bold: paint('1', '22'),
    dim: paint('2', '22'),
    green: paint('32', '39'),
    yellow: paint('33', '39'),
    red: paint('31', '39'),
    cyan: paint('36', '39'),
    heat: (text, fraction) => paint(`38;5;${heatColor(fraction)}`, '39')(text),
  }
}

function heatColor(fraction: number): number {
  const within = Math.min(1, Math.max(0, fraction))
  return HEAT[Math.round(within * (HEAT.length - 1))] as number
}
