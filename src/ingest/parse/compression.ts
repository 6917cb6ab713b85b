import { utf8Length } from '../../core/tokens.ts'

const MIN_SAVING_PERCENT = 15

/** Another notation is worth its strangeness only from here on. Bytes, not tokens; exactly 15 % is enough. */
export function savesEnough(plain: string, short: string): boolean {
  const before = utf8Length(plain)
  return (before - utf8Length(short)) * 100 >= before * MIN_SAVING_PERCENT
}
