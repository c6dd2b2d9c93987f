/** Prefix of the message of an error about too much content, because errors lose their class between threads. */
export const tooMuch = 'too much at once'

/** Maximum number of values. Copying this many from a thread takes about 40 ms. No page of a tool has as many. */
const mostValues = 250_000
/** Maximum number of names in an object. More names take far longer. */
const mostNames = 20_000
const deepest = 500
const utf8 = 'utf-8'

/**
 * Parses a tool's answer; for long answers, in a thread. NUL characters are removed, and half characters are replaced,
 * because no tool shows them, and databases and other tools fail on them. A whole number that JavaScript would round
 * becomes a text.
 */
export function parseJson(pieces: Uint8Array[], charset = utf8): unknown {
  const given = Buffer.concat(pieces)
  const bytes = charset === utf8 ? given : Buffer.from(new TextDecoder(charset).decode(given))
  // Frees the memory of the pieces, which nobody reads again.
  pieces.length = 0
  requireModest(bytes)
  // The decoder removes a byte order mark, which some servers send before the JSON.
  const text = new TextDecoder().decode(bytes)
  return text.includes('\\u0000') || halfCharacter.test(text) || longNumber.test(text)
    ? JSON.parse(text, tidy)
    : JSON.parse(text)
}

/** The charset that an answer names. JSON is UTF-8, but servers send what they name. An unknown name counts as UTF-8. */
export function charsetOf(contentType: unknown): string {
  const [, name = utf8] = /;\s*charset="?([\w:.-]{1,40})/i.exec(String(contentType ?? '')) ?? []
  try {
    return new TextDecoder(name).encoding
  } catch {
    return utf8
  }
}

/** Half of a character that takes two escapes, such as half an emoji. */
const halfCharacter = /\\ud[89ab]..(?!\\ud[c-f])|(?<!\\ud[89ab]..)\\ud[c-f]/i

/** A whole number that JavaScript may round, so that it would name another record. */
const longNumber = /[[:,]\s*-?\d{16,}\s*[,}\]]/

function tidy(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '')
  return isRounded ? source : value
}

/**
 * Refuses an answer that would take too much time or memory, before it is parsed: a text of `{}` takes forty times its
 * length. It counts only signs outside texts, and does not check whether the answer is JSON.
 */
function requireModest(bytes: Uint8Array): void {
  let values = 0
  /** The number of commas so far in each open object. Lists start at minus infinity. */
  const open: number[] = []
  for (let at = 0; at < bytes.length; at++) {
    const sign = bytes[at]
    if (sign === quote) at = endOfText(bytes, at)
    else if (sign === comma) {
      values++
      const own = (open.pop() ?? 0) + 1
      if (own > mostNames) throw new Error(`${tooMuch}: more than ${mostNames} names`)
      open.push(own)
    } else if (sign === openBrace || sign === openBracket) {
      values++
      // Lists may have any length; in an object each comma counts.
      if (open.push(sign === openBrace ? 0 : Number.NEGATIVE_INFINITY) > deepest) {
        throw new Error(`${tooMuch}: more than ${deepest} levels`)
      }
    } else if (sign === closeBrace || sign === closeBracket) open.pop()
    if (values > mostValues) throw new Error(`${tooMuch}: more than ${mostValues} values`)
  }
}

/** The end of the text that begins here. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(quote, start + 1); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let before = at - 1
    while (bytes[before] === backslash) before--
    // After an odd number of backslashes the quote is part of the text.
    if ((at - before) % 2 === 1) return at
  }
  return bytes.length
}

const [quote = 0, backslash, comma, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\,{}[]')
