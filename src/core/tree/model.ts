/** What becomes of the nodes below a node that is forgotten: see `forget`. */
export const FORGET_MODES = ['strict', 'cascade', 'reparent'] as const
export type ForgetMode = (typeof FORGET_MODES)[number]
