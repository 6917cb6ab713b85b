/** A word of a command that a person may paste into a shell: quoted where the shell would not take it as it is. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
