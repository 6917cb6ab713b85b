import { optional, text } from '../model/schema.ts'

/** Longer than any moment. */
const MAX_MOMENT = 120

const MOMENT = text('Read the past: snapshot, checkpoint, date or "2h ago"', { max: MAX_MOMENT })

/** The moment that a tool reads. A model sends the number of a snapshot as a number. */
export const AS_OF = optional({
  ...MOMENT,
  read: (value: unknown, name: string) =>
    MOMENT.read(Number.isSafeInteger(value) ? String(value) : value, name),
})
