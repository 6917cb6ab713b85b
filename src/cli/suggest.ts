/** What a person most likely meant, or undefined when nothing is close. */
export function closest(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase()
  const byStart = known.filter((name) => wanted.length > 1 && name.startsWith(wanted))
  if (byStart.length === 1) return byStart[0]
  let best: string | undefined
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1
  for (const name of known) {
    const distance = editDistance(wanted, name)
    // Two letters away from a word of three is another word.
    if (distance < Math.min(least, name.length)) {
      best = name
      least = distance
    }
  }
  return best
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
