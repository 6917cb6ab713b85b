/** Concurrent requests of one connection or session where clients are not known. Further ones wait, so that a client cannot exhaust memory. */
export const MAX_RUNNING = 32
