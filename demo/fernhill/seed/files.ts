import { crc32, deflateSync } from 'node:zlib'

/** A file of a comment. If it has no content, its bytes are computed when it is sent. */
export interface FileSeed {
  name: string
  type: string
  size: number
  content: Buffer | null
  inline: boolean
}

export function textFile(name: string, type: string, text: string): FileSeed {
  const content = Buffer.from(text)
  return { name, type, size: content.length, content, inline: false }
}

export function computedFile(name: string, type: string, size: number): FileSeed {
  return { name, type, size, content: null, inline: false }
}

/** Draws a plant in a pot. Each picture has another hue; low health makes the plant droop. */
export function plantPicture(name: string, hue: number, health: number, inline: boolean): FileSeed {
  const content = encodePng(240, 160, (x, y) => plantPixel(x / 240, y / 160, hue, health))
  return { name, type: 'image/png', size: content.length, content, inline }
}

type Colour = readonly [number, number, number]

function plantPixel(x: number, y: number, hue: number, health: number): Colour {
  const droop = (1 - health) * 0.25
  const inPot = y > 0.68 && y < 0.94 && Math.abs(x - 0.5) < 0.17 - (y - 0.68) * 0.2
  if (inPot) return [176 - y * 40, 96, 62]
  const leaf = [-0.3, -0.17, 0, 0.17, 0.3].some((lean) => {
    const height = (0.7 - y) / 0.55
    if (height < 0 || height > 1) return false
    const middle = 0.5 + lean * height + droop * lean * 4 * height * height
    return Math.abs(x - middle) < 0.035 * Math.sin(Math.PI * height) + 0.004
  })
  if (leaf) return [60 + (1 - health) * 130 + hue / 6, 120 + health * 40, 48 + hue / 8]
  if (y > 0.9) return [150, 132, 108]
  return [205 + hue / 10, 222 - y * 25, 226 - y * 60]
}

function encodePng(width: number, height: number, pixel: (x: number, y: number) => Colour): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue] = pixel(x, y)
      rows.set([red, green, blue].map(Math.round), y * (1 + width * 3) + 1 + x * 3)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = pngChunk('IDAT', deflateSync(rows))
  return Buffer.concat([signature, pngChunk('IHDR', header), data, pngChunk('IEND', Buffer.alloc(0))])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  chunk.set(body, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

/** Creates a one-page PDF with a few lines of plain text. */
export function pdfFile(name: string, lines: readonly string[]): FileSeed {
  const show = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj 0 -18 Td`).join('\n')
  const page = `BT /F1 12 Tf 60 780 Td\n${show}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  const content = Buffer.from(text, 'latin1')
  return { name, type: 'application/pdf', size: content.length, content, inline: false }
}
