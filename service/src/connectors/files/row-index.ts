import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { TablePosition } from './table.ts'

// A list of all rows of a table, in groups. A group holds its start position, then two hashes per row: of the row's id
// and of its parent's id. The index is much smaller than the table, so searching all of it is quick.

const rowsPerGroup = 500
const headBytes = 20
const rowBytes = 8
const groupBytes = headBytes + rowsPerGroup * rowBytes

/**
 * Equal texts have equal hashes. Different texts may share a hash, so each row that is found must be checked itself.
 */
export function hashId(id: string): number {
  return createHash('sha1').update(id).digest().readUInt32BE(0)
}

export class RowIndexWriter {
  #group = Buffer.alloc(groupBytes)
  #count = 0

  /** Adds a row. Returns a group when it is full. */
  add(at: TablePosition, id: number, parentId: number): Buffer | null {
    if (this.#count === 0) {
      this.#group.writeUIntBE(at.offset, 0, 6)
      this.#group.writeUIntBE(at.line, 6, 6)
      this.#group.writeUIntBE(at.row, 12, 6)
      this.#group.writeUInt16BE(at.breaks, 18)
    }
    const place = headBytes + this.#count * rowBytes
    this.#group.writeUInt32BE(id, place)
    this.#group.writeUInt32BE(parentId, place + 4)
    this.#count += 1
    return this.#count === rowsPerGroup ? this.end() : null
  }

  /** Returns the last, incomplete group. */
  end(): Buffer | null {
    if (this.#count === 0) return null
    const group = this.#group
    this.#group = Buffer.alloc(groupBytes)
    this.#count = 0
    return group
  }
}

export interface RowGroup {
  number: number
  start: TablePosition
  /** Whether the group may contain a wanted row. */
  mayHold: boolean
}

export const offsetOfGroup = (number: number): number => number * groupBytes

/** Reads the groups of an index, from the start of a group on. */
export async function* readRowIndex(
  bytes: Readable,
  first: number,
  wanted: { hashes: ReadonlySet<number>; by: 'id' | 'parent' },
): AsyncGenerator<RowGroup> {
  let rest = Buffer.alloc(0)
  let number = first
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk])
    let at = 0
    for (; at + groupBytes <= rest.length; at += groupBytes) {
      yield readGroup(rest.subarray(at, at + groupBytes), number, wanted)
      number += 1
    }
    rest = rest.subarray(at)
  }
}

/** The id hashes of all rows, some hundred at a time. Unused places after the last row are 0. */
export async function* readIdHashes(bytes: Readable): AsyncGenerator<number[]> {
  let rest = Buffer.alloc(0)
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk])
    let at = 0
    for (; at + groupBytes <= rest.length; at += groupBytes) {
      const group = rest.subarray(at, at + groupBytes)
      yield Array.from({ length: rowsPerGroup }, (_, row) => group.readUInt32BE(headBytes + row * rowBytes))
    }
    rest = rest.subarray(at)
  }
}

function readGroup(
  group: Buffer,
  number: number,
  { hashes, by }: { hashes: ReadonlySet<number>; by: 'id' | 'parent' },
): RowGroup {
  let mayHold = false
  for (let place = headBytes + (by === 'id' ? 0 : 4); place < groupBytes && !mayHold; place += rowBytes) {
    mayHold = hashes.has(group.readUInt32BE(place))
  }
  const start = {
    offset: group.readUIntBE(0, 6),
    line: group.readUIntBE(6, 6),
    row: group.readUIntBE(12, 6),
    breaks: group.readUInt16BE(18),
  }
  return { number, start, mayHold }
}

/** Whether a row belongs to the group that starts here. */
export const isInGroup = (start: TablePosition, row: number): boolean => row < start.row + rowsPerGroup
