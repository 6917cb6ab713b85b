export function bundle(input: {
  root: string
  name: string
  entry: string
  version: string
  isSplit: boolean
  isMinified: boolean
}): Promise<{ files: { name: string; code: string }[]; modules: string[] }>
