import { createGiveWay } from './give-way.ts'

/** Characters that are written at once: a fraction of a millisecond. */
const pieceLength = 64 * 1024

/** A shorter text is written at once, within a few milliseconds. */
const lightLength = 256 * 1024

/** True if the value is short enough to be written at once. */
export function isLight(value: unknown, characters = lightLength): boolean {
  return textOf(value, characters) < characters
}

/** About how many characters it takes, as far as `enough`. */
function textOf(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 4
  if (ArrayBuffer.isView(value)) return value.byteLength
  let sum = 2
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && sum < enough; index++) sum += 1 + textOf(value[index], enough - sum)
    return sum
  }
  for (const name in value) {
    if (sum >= enough) break
    sum += name.length + 3 + textOf((value as Record<string, unknown>)[name], enough - sum)
  }
  return sum
}

/** A JSON text in pieces, of which none takes long to make. Exactly what `JSON.stringify` writes. */
export function* jsonPieces(value: unknown): Generator<string> {
  if (typeof value === 'string') yield* stringPieces(value)
  else if (typeof value !== 'object' || value === null || 'toJSON' in value || isLight(value)) {
    yield JSON.stringify(value) ?? 'null'
  } else if (Array.isArray(value)) {
    yield '['
    for (const [index, entry] of value.entries()) {
      if (index > 0) yield ','
      yield* jsonPieces(entry)
    }
    yield ']'
  } else {
    yield '{'
    let separator = ''
    for (const [name, entry] of Object.entries(value)) {
      if (entry === undefined || typeof entry === 'function') continue
      yield `${separator}${JSON.stringify(name)}:`
      yield* jsonPieces(entry)
      separator = ','
    }
    yield '}'
  }
}

/** The same for one text. */
export function* stringPieces(text: string): Generator<string> {
  if (text.length <= pieceLength) {
    yield JSON.stringify(text)
    return
  }
  yield '"'
  for (const slice of slicesOf(text)) yield JSON.stringify(slice).slice(1, -1)
  yield '"'
}

/**
 * A text in slices; a character that is written as two units is not torn apart. Each takes a fraction of a
 * millisecond.
 */
export function* slicesOf(text: string): Generator<string> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(start + pieceLength, text.length)
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end--
    yield text.slice(start, end)
  }
}

/** A JSON text as bytes, without keeping the event loop from others. */
export async function jsonBytes(value: unknown): Promise<Buffer> {
  if (isLight(value)) return Buffer.from(JSON.stringify(value) ?? 'null')
  const giveWay = createGiveWay()
  const pieces: Buffer[] = []
  for (const piece of jsonPieces(value)) {
    // Before each piece: making the value may have taken a while already.
    await giveWay()
    pieces.push(Buffer.from(piece))
  }
  return Buffer.concat(pieces)
}
