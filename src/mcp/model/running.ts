/** Requests of one connection, or session, that run at once. Further ones wait: nobody can fill the memory by asking. */
export const MAX_RUNNING = 32
