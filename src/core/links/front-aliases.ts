const KEY = /^["']?alias(?:es)?["']?(?:\[\d+\])?[ \t]*[:=][ \t]*/im
const ARRAY = /^\[([^\]]*)\]?/
/** Items below the key. */
const ITEMS = /^(?:[^\n\S]*\n[^\n\S]*-[^\n\S]+([^\n]*))/

/** Other names that front matter gives its document, under `aliases`; as written there. */
export function frontAliases(text: string): string[] {
  const key = KEY.exec(text)
  if (!key) return []
  const rest = text.slice(key.index + key[0].length)
  return [...new Set(valuesOf(rest).map(unquoted))].filter((alias) => alias !== '')
}

function valuesOf(rest: string): string[] {
  const array = ARRAY.exec(rest)
  if (array) return (array[1] ?? '').split(',')
  const items: string[] = []
  for (let left = rest, item = ITEMS.exec(left); item; item = ITEMS.exec(left)) {
    items.push(item[1] ?? '')
    left = left.slice(item[0].length)
  }
  return items.length > 0 ? items : (rest.split('\n', 1)[0] ?? '').split(',')
}

function unquoted(value: string): string {
  return value
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim()
}
