import { memory } from './0001-memory.ts'

/** In order; the number of a migration is its place here. Forward only: a released one is never edited. */
export const migrations: readonly string[] = [memory]
