/** What happens to the nodes below a forgotten node: see `forget`. */
export const FORGET_MODES = ['strict', 'cascade', 'reparent'] as const
export type ForgetMode = (typeof FORGET_MODES)[number]
