import { MemoryError } from '../../core/errors.ts'

/** Of a value that is echoed in a message. */
const SHOWN_LENGTH = 40

/** An argument has the wrong type or is out of range. `saying` is the message that other programs know, if any. */
export function wrong(
  name: string,
  must: string,
  value: unknown,
  saying = (shown: string) => `${name} ${must}, got ${shown}`,
): MemoryError {
  return refusal(saying(echo(value)))
}

export function refusal(message: string): MemoryError {
  return new MemoryError('INVALID_INPUT', `validating "arguments": ${message}`)
}

/** The given value, shortened: it may be a whole text in the wrong place. */
export function echo(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const shown = String(JSON.stringify(value))
  return shown.length <= SHOWN_LENGTH
    ? shown
    : `${typeof value === 'string' ? 'a long text' : 'a long number'}`
}
