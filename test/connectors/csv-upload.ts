import { Readable } from 'node:stream'
import { crc32, deflateRawSync } from 'node:zlib'
import type { CsvUpload } from '../../service/src/connectors/files/upload.ts'

/** An upload that is kept in memory. */
export function uploadOf(fileName: string, content: string | Buffer, chunkBytes = 64 * 1024): CsvUpload {
  const bytes = Buffer.from(content)
  return {
    fileName,
    size: bytes.length,
    open: ({ start, end } = { start: 0, end: bytes.length }) =>
      Readable.from(chunksOf(bytes.subarray(start, end), chunkBytes), { objectMode: false }),
  }
}

function* chunksOf(bytes: Buffer, chunkBytes: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

export interface ZipEntry {
  name: string
  content: string | Buffer
  /** A false size for the directory. */
  claimedSize?: number
  isEncrypted?: boolean
  /** Bytes to write in place of the compressed content. */
  packed?: Buffer
}

/** A zip with any content, including false sizes. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, claimedSize, isEncrypted = false, packed } of entries) {
    const bytes = Buffer.from(content)
    const data = packed ?? deflateRawSync(bytes)
    const nameBytes = Buffer.from(name)
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(0x800 | (isEncrypted ? 1 : 0), 2)
    about.writeUInt16LE(8, 4)
    about.writeUInt32LE(crc32(bytes), 10)
    about.writeUInt32LE(data.length, 14)
    about.writeUInt32LE(claimedSize ?? bytes.length, 18)
    about.writeUInt16LE(nameBytes.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), about, nameBytes, data])
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), about, place, nameBytes]))
    parts.push(local)
    offset += local.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listing.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listing, end])
}
