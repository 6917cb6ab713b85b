/** A node's share of the state digest as it is stored: 8 bytes, big-endian. */
export function markBlob(mark: bigint): Buffer {
  const blob = Buffer.allocUnsafe(8)
  blob.writeBigUInt64BE(mark)
  return blob
}

/** Null where there is none, and where what is there is no mark. */
export function toMark(stored: unknown): bigint | null {
  return stored instanceof Buffer && stored.length === 8 ? stored.readBigUInt64BE() : null
}
