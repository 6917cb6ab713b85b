import { optional, text, type Value } from '../model/schema.ts'

/** Longer than any moment: longer input was sent by mistake. */
const MAX_MOMENT = 200

/** A moment: `parseMoment` explains and checks it. A model sends the number of a snapshot as a number. */
export function momentArgument(description: string): Value<string> {
  const moment = text(description, { max: MAX_MOMENT })
  return {
    ...moment,
    read: (value, name) => moment.read(Number.isSafeInteger(value) ? String(value) : value, name),
  }
}

/** The moment that a tool reads. Default: the present. */
export const AS_OF = optional(momentArgument('Read the past: snapshot, checkpoint, date or "2h ago"'))
