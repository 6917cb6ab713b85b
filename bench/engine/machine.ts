import { cpus } from 'node:os'

/** Milliseconds that the cores of the machine were busy so far, with whatever. */
export function machineBusyMs(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)
}
