/** The number of code points of a text, without an array of them. */
export function countCodePoints(text: string): number {
  let count = text.length
  for (let at = 1; at < text.length; at++) {
    const isPair = isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))
    if (isPair) count--
  }
  return count
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** The order of other programs: surrogate pairs compare as characters, after all of the BMP. */
export function byCodePoint(a: string, b: string): number {
  for (let at = 0; ; ) {
    const [one, other] = [a.codePointAt(at), b.codePointAt(at)]
    if (one === undefined || other === undefined) return a.length - b.length
    if (one !== other) return one - other
    at += one > 0xffff ? 2 : 1
  }
}
