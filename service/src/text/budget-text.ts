import type { RichText } from '../families/record.ts'
import { OverBudgetError, runInThread } from '../threads/run-in-thread.ts'
import type { TextLoss } from '../warnings/codes.ts'
import type * as here from './change-text.ts'
import type { ConvertedText } from './convert-text.ts'
import { limitTime } from './limit-time.ts'
import type { TextFormat } from './parse-markup.ts'

const module = new URL('./change-text.ts', import.meta.url).href

/** HTML and plain text of this length take a few milliseconds, whatever is in them. */
const shortCharacters = 8_000
/** The parsers of Markdown and Textile need hours for some texts of a line or two; so these are tried first. */
const tryMs = 25
const budget = { baseMs: 1_000, msPerMegabyte: 2_000, mostMs: 30_000, mostCharacters: 32 * 1024 * 1024 }

/** The loss of a text that arrives without its markup, because it took more than its budget. */
export const tooComplex = 'too_complex' satisfies TextLoss

/** The work on one text, done at once; null when it is too much for the event loop and belongs into a thread. */
export function tryHere<T>({ format, body }: RichText, work: () => T): T | null {
  if (body.length > shortCharacters) return null
  return format === 'html' || format === 'plain' ? work() : limitTime(tryMs, work)
}

/** In a thread. Null when that takes more than the text's budget. */
export async function findAddresses(text: RichText): Promise<here.TextAddresses | null> {
  return orOverBudget(runOnText<here.TextAddresses | null>('findAddresses', text), async () => null)
}

/**
 * In a thread. A text that takes more than its budget becomes plain text, and the record goes on. Without `links` its
 * addresses could not be found in time, so nothing more is tried.
 */
export async function changeText(
  text: RichText,
  to: TextFormat,
  links: here.Replacements | null,
): Promise<ConvertedText> {
  const plain = () =>
    orOverBudget(runOnText<string>('changeToPlain', text, to), () => runOnText<string>('keepCharacters', text, to))
  const simplified = async () => ({ body: await plain(), losses: { [tooComplex]: 1 } })
  return links ? orOverBudget(runOnText<ConvertedText>('changeText', text, to, links), simplified) : simplified()
}

async function orOverBudget<T>(work: Promise<T>, instead: () => Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof OverBudgetError) return instead()
    throw error
  }
}

async function runOnText<T>(name: keyof typeof here, text: RichText, ...args: unknown[]): Promise<T> {
  const { length } = text.body
  if (length > budget.mostCharacters && name !== 'keepCharacters') throw new OverBudgetError('too long')
  const cpuMs = Math.min(budget.baseMs + (length / 1024 / 1024) * budget.msPerMegabyte, budget.mostMs)
  const { format, body } = text
  return (await runInThread({ module, name, args: [{ format, body }, ...args], cpuMs })) as T
}
