/** How many characters a text has. Without making a list of them, which takes many times the text. */
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
