/** What a person most likely meant, or undefined if nothing is close. */
export function closest(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase()
  const byStart = known.filter((name) => wanted.length > 1 && name.startsWith(wanted))
  if (byStart.length === 1) return byStart[0]
  return ranked(wanted, known)[0]?.name
}

/** The words that are as close as the closest, or almost: nearest first. Empty if nothing is close. */
export function nearest(word: string, known: readonly string[], most = 3): string[] {
  const found = ranked(word.toLowerCase(), known)
  const least = found[0]?.distance ?? 0
  const near = found.filter(({ distance }) => distance <= least + 1)
  return near.slice(0, most).map(({ name }) => name)
}

/** Only the beginning of a longer word is compared: the input may be a whole text. */
const COMPARED_LENGTH = 64

/** All of them, nearest first. Each is a list of names for the same thing, and as near as the nearest of these. */
export function byNearness<N extends readonly string[]>(word: string, known: readonly N[]): N[] {
  const wanted = word.toLowerCase().slice(0, COMPARED_LENGTH)
  const distanceOf = (names: N) => Math.min(...names.map((name) => stepsApart(wanted, name.toLowerCase())))
  return known
    .map((names) => ({ names, distance: distanceOf(names) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ names }) => names)
}

/** If one word contains the other, only half of the missing letters count: `ids` is near to `node_ids`. */
function stepsApart(a: string, b: string): number {
  const isInside = a !== '' && b !== '' && (a.includes(b) || b.includes(a))
  return isInside ? Math.abs(a.length - b.length) / 2 : editDistance(a, b)
}

/** The words that may be misspelt as this one. */
function ranked(wanted: string, known: readonly string[]): { name: string; distance: number }[] {
  const most = Math.max(2, Math.floor(wanted.length / 3))
  return (
    known
      // The difference in length is a lower bound: very long words are skipped.
      .filter((name) => Math.abs(name.length - wanted.length) <= most)
      .map((name) => ({ name, distance: editDistance(wanted, name) }))
      // Two letters away from a word of three is another word.
      .filter(({ name, distance }) => distance <= most && distance < name.length)
      .sort((a, b) => a.distance - b.distance)
  )
}

/** Letters to insert, delete, replace, or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}
