/** A word of a command that a person may paste into a shell: quoted if necessary. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
