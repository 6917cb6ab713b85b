import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Bytes of a pixel by colour type: RGB and RGBA. */
const PIXEL_BYTES: Record<number, number> = { 2: 3, 6: 4 }
const MAX_COLORS = 256

/** A picture of the browser with at most 256 colours: a third of its size, and it looks the same. */
export function indexedPng(png: Buffer): Buffer {
  const { header, pixels } = readPixels(png)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const palette = mostFrequent(pixels)
  const indexes = new Map<number, number>()
  const lines = Buffer.alloc((width + 1) * height)
  for (const [at, color] of pixels.entries()) {
    const index = indexes.get(color) ?? nearest(palette, color)
    indexes.set(color, index)
    lines[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = index
  }
  const indexedHeader = Buffer.from(header)
  indexedHeader.set([8, 3], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', indexedHeader),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function readPixels(png: Buffer): { header: Buffer; pixels: Uint32Array } {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = SIGNATURE.length; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) })
    at = end + 4
  }
  const dataOf = (type: string) =>
    Buffer.concat(chunks.filter((one) => one.type === type).map((one) => one.data))
  const header = dataOf('IHDR')
  const pixelBytes = PIXEL_BYTES[header[9] ?? 0]
  if (header[8] !== 8 || pixelBytes === undefined) throw new Error('not a picture as Chromium makes them')
  return { header, pixels: unfiltered(inflateSync(dataOf('IDAT')), header.readUInt32BE(0), pixelBytes) }
}

/** The colours behind the differences that each line is stored as (PNG 9.2). Transparency is dropped. */
function unfiltered(data: Buffer, width: number, pixelBytes: number): Uint32Array {
  const lineBytes = width * pixelBytes
  const pixels: number[] = []
  let above = Buffer.alloc(lineBytes)
  for (let start = 0; start < data.length; start += lineBytes + 1) {
    const line = Buffer.from(data.subarray(start + 1, start + 1 + lineBytes))
    for (let x = 0; x < lineBytes; x++) {
      const [left, corner] = x < pixelBytes ? [0, 0] : [line[x - pixelBytes], above[x - pixelBytes]]
      line[x] =
        (line[x] as number) + predicted(data[start], left as number, above[x] as number, corner as number)
    }
    for (let x = 0; x < lineBytes; x += pixelBytes) pixels.push(line.readUIntBE(x, 3))
    above = line
  }
  return Uint32Array.from(pixels)
}

function predicted(filter: number | undefined, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return Math.floor((left + above) / 2)
  if (filter !== 4) return 0
  const guess = left + above - corner
  const distance = (value: number) => Math.abs(guess - value)
  if (distance(left) <= distance(above) && distance(left) <= distance(corner)) return left
  return distance(above) <= distance(corner) ? above : corner
}

function mostFrequent(pixels: Uint32Array): number[] {
  const counts = new Map<number, number>()
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1)
  const byCount = [...counts].sort(([a, many], [b, others]) => others - many || a - b)
  return byCount.slice(0, MAX_COLORS).map(([color]) => color)
}

function nearest(palette: readonly number[], color: number): number {
  const distances = palette.map((one) => {
    const other = channels(one)
    return channels(color).reduce((sum, value, at) => sum + (value - (other[at] as number)) ** 2, 0)
  })
  return distances.indexOf(Math.min(...distances))
}

function channels(color: number): number[] {
  return [color >> 16, (color >> 8) & 255, color & 255]
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(data.length, 0)
  numbers.writeUInt32BE(crc32(content), 4)
  return Buffer.concat([numbers.subarray(0, 4), content, numbers.subarray(4)])
}
