import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { TablePosition } from './table.ts'

// A list of all rows of a table, in groups: the beginning of the group, then two hashes for each row, of its id and of
// its parent's id. It is a small part of the table, so searching all of it for some records is quick.

const rowsPerGroup = 500
const headBytes = 20
const rowBytes = 8
const groupBytes = headBytes + rowsPerGroup * rowBytes

/** Equal texts have equal hashes. Others may have them too: rows that are found this way are looked at themselves. */
export function hashId(id: string): number {
  return createHash('sha1').update(id).digest().readUInt32BE(0)
}

export class RowIndexWriter {
  #group = Buffer.alloc(groupBytes)
  #count = 0

  /** Answers a group once it is full. */
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

  /** The rest. */
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
  /** Whether one of its rows may be wanted. */
  mayHold: boolean
}

export const offsetOfGroup = (number: number): number => number * groupBytes

/** The groups of an index that is read from the beginning of one of them. */
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

/** The hashes of the ids of all rows, some hundred at a time; those after the last row are 0. */
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

/** Whether a row that is reached from the start of a group still belongs to it. */
export const isInGroup = (start: TablePosition, row: number): boolean => row < start.row + rowsPerGroup
