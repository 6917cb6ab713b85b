/**
 * A command line that runs a program without root's right to ignore permissions; for anybody else it is the command
 * itself. Not another user: that one may not even reach the program, in a checkout that is private.
 */
export function unprivileged(command: string, args: readonly string[]): [string, string[]] {
  if (process.getuid?.() !== 0) return [command, [...args]]
  const rights = '-dac_override,-dac_read_search,-fowner'
  return ['setpriv', [`--bounding-set=${rights}`, `--inh-caps=${rights}`, '--', command, ...args]]
}
