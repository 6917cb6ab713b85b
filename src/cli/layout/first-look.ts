import type { FirstLook } from '../../core/find/map/first-look.ts'
import { firstLookText } from '../../core/render/first-look-text.ts'
import type { Context } from '../base/command.ts'
import { commandFor } from '../base/invocation.ts'
import { paintOf } from './paint.ts'

/** The content of a memory, as every command prints it; a map ends with the commands that show more. */
export function firstLookLines(look: FirstLook, context: Context, db: string): string[] {
  const open = `open more: ${commandFor(context, db)('tree --depth 0')} lists every document; with an id instead, tree opens one`
  return firstLookText(look, { paint: paintOf(context.palette), open }).split('\n')
}
