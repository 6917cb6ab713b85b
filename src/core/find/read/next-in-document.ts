export function nextLine(id: string): string {
  return `… next in this document: id=${id}`
}
