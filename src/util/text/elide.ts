/** A text of at most `max` characters: the middle of a longer one is replaced. */
export function elideMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const half = Math.floor((max - 1) / 2)
  // Half a surrogate pair is not valid text.
  const start = text.slice(0, half).replace(/[\ud800-\udbff]$/, '')
  const end = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, '')
  return `${start}…${end}`
}
