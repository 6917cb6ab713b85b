/** How much of a text, from its beginning, stands in a prompt: in characters. */
export function seenLength(text: string, prompt: string): number {
  const flat = flatten(prompt)
  const whole = flatten(text)
  let least = 0
  let most = whole.length
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (flat.includes(whole.slice(0, middle))) least = middle
    else most = middle - 1
  }
  // A few characters stand anywhere.
  return least < Math.min(30, whole.length) ? 0 : least
}

/** Programs indent what they quote, and write it as JSON. */
const flatten = (text: string): string => text.replaceAll('\\n', ' ').replaceAll(/\s+/g, ' ').trim()
