/** The name of a copy beside a database: with the time, so that none replaces another. */
export function backupName(db: string, now: number): string {
  return `${backupPrefix(db)}${new Date(now).toISOString().replaceAll(':', '-')}`
}

export function backupPrefix(db: string): string {
  return `${db}.bak.`
}
