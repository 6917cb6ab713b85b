const UNITS = ['', 'K', 'M', 'G', 'T']

/** `10MB`, `1.5 GiB`, `512k` or `4096` in bytes, in units of 1024; undefined for anything else. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d*)?|\.\d+)\s*(?:B|([KMGT])(?:i?B)?)?$/i.exec(text.trim()) ?? []
  return amount === undefined
    ? undefined
    : Math.round(Number(amount) * 1024 ** UNITS.indexOf(unit.toUpperCase()))
}
