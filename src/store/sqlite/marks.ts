/** A node's share of the state digest as it is stored: 8 bytes, big-endian. */
export function markBlob(mark: bigint): Buffer {
  const blob = Buffer.allocUnsafe(8)
  blob.writeBigUInt64BE(mark)
  return blob
}
