import type { Paint } from '../../core/find/paint.ts'
import type { Palette } from '../../util/terminal/color.ts'

export function paintOf({ cyan, dim, bold, yellow, heat }: Palette): Paint {
  return { type: cyan, dim, match: (text) => bold(yellow(text)), heat }
}
