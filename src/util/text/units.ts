/** 950, 18.4k, 1.2M, 3.0G. */
export function abbreviate(count: number): string {
  // 999,950 and more would be "1000.0k".
  if (count < 1000) return String(count)
  if (count < 999_950) return `${(count / 1e3).toFixed(1)}k`
  if (count < 999_950_000) return `${(count / 1e6).toFixed(1)}M`
  return `${(count / 1e9).toFixed(1)}G`
}

/** 42s, 5m, 3h, 2d. */
export function formatAge(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}

const SIZE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

/** 512 B, 192.0 KB: units of 1024. */
export function formatSize(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < SIZE_UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${SIZE_UNITS[unit]}`
}

/** `1 file`, `3 files`; `1 node has`, `3 nodes have`. */
export function plural(count: number, word: string, words = `${word}s`): string {
  return `${count} ${count === 1 ? word : words}`
}
