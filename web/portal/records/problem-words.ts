import { formatNumber, known, type StatusFacts } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'

export interface Problem {
  what: string
  fix: string | null
  /** True for the service's own English sentence, if the catalog lacks the code. */
  isRaw: boolean
}

type Names = Pick<StatusFacts, 'source' | 'destination'>

/**
 * The text for a warning's code, or the service's own sentence. `count` is the number in texts about formatted text. A
 * record's code can contain its own number (`text_video_linked*2`).
 */
export function problemWords(given: string, names: Names, message = given, count: number | null = null): Problem {
  // A link that still points to the source is shown as its address.
  const address = /^link_(?:stray|to_source):(.+)$/s.exec(given)?.[1]
  if (address !== undefined) return { what: address, fix: null, isRaw: true }
  const [code = '', times] = given.split('*')
  const words = findWords(code)
  if (!words) return { what: message, fix: null, isRaw: true }
  const what = withCount(words.what, times === undefined ? count : Number(times))
  return { what: withNames(what, names), fix: withNames(words.fix, names), isRaw: false }
}

/** Drops a plain code if the same code with a number (`…*2`) is present. */
export const withoutRepeats = (codes: readonly string[]): string[] =>
  [...new Set(codes)].filter((code) => !codes.some((other) => other.startsWith(`${code}*`)))

function findWords(code: string): { what: string; fix: string } | undefined {
  const [kind = '', ...rest] = code.split(':')
  const name = rest.join(':')
  const { byCode, fieldNotTaken, fieldNotProtected, ofTexts, textFix, losses, lossFix } = later.problems
  if (kind === 'field_not_taken' || kind === 'custom_field_not_taken') return fieldNotTaken(fieldLabel(name))
  if (kind === 'custom_field_not_protected') return fieldNotProtected(fieldLabel(name))
  const ofText = known(ofTexts, kind.replace(/^text_/, ''))
  if (ofText !== undefined) return { what: ofText, fix: textFix }
  const loss = kind === 'lost' ? known(losses, name) : undefined
  return loss === undefined ? known(byCode, kind) : { what: loss, fix: lossFix }
}

const withNames = (text: string, { source, destination }: Names) =>
  text.replaceAll('{source}', () => source).replaceAll('{destination}', () => destination)

function withCount(text: string, count: number | null): string {
  const [one = '', several = one] = text.split('|')
  return count === null ? several : (count === 1 ? one : several).replace('{count}', formatNumber(count))
}
