import type { TablePosition } from './table.ts'

/** A table of an entity and a position in it. Without a position: the beginning of the table. */
export interface Place {
  index: number
  position: TablePosition | null
}

const start: Place = { index: 0, position: null }

/** A cursor of another upload starts from the beginning, because its positions are not valid here. */
export function readCursor(upload: string, cursor: string | null): Place {
  const [owner, ...numbers] = (cursor ?? '').split(':')
  if (owner !== upload) return start
  const [index = 0, offset, line, row, breaks] = numbers.map(Number)
  if (offset === undefined || line === undefined || row === undefined || breaks === undefined) {
    return { index, position: null }
  }
  return { index, position: { offset, line, row, breaks } }
}

export function writeCursor(upload: string, { index, position }: Place): string {
  if (position === null) return `${upload}:${index}`
  const { offset, line, row, breaks } = position
  return [upload, index, offset, line, row, breaks].join(':')
}
