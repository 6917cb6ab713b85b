/** A text of at most `max` characters: a longer one has a sign instead of its middle. */
export function elideMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const half = Math.floor((max - 1) / 2)
  // What is left of a character that was cut is no text.
  const start = text.slice(0, half).replace(/[\ud800-\udbff]$/, '')
  const end = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, '')
  return `${start}…${end}`
}
