import type { RichText } from '../families/record.ts'
import { OverBudgetError, runInThread } from '../threads/run-in-thread.ts'
import type { TextLoss } from '../warnings/codes.ts'
import type * as here from './change-text.ts'
import type { ConvertedText } from './convert-text.ts'
import { limitTime } from './limit-time.ts'
import type { TextFormat } from './parse-markup.ts'

const module = new URL('./change-text.ts', import.meta.url).href

/** HTML and plain text of this length take a few milliseconds with any content. */
const shortCharacters = 8_000
/**
 * The parsers of Markdown and Textile need hours for some short texts, so even short ones are tried with a time
 * limit.
 */
const tryMs = 25
const budget = { baseMs: 1_000, msPerMegabyte: 2_000, mostMs: 30_000, mostCharacters: 32 * 1024 * 1024 }

/** The budget of all texts of a record together. */
export interface RecordBudget {
  /** Time on the event loop. Longer work runs in a thread. */
  hereMs: number
  /** CPU time in threads. A text beyond it loses its markup. */
  threadMs: number
}

export const createRecordBudget = (hereMs: number = tryMs): RecordBudget => ({ hereMs, threadMs: 60_000 })

/** The loss of a text that exceeded its budget and therefore lost its markup. */
export const tooComplex = 'too_complex' satisfies TextLoss

/** Converts one text on the event loop. Null if that takes too long and needs a thread. */
export function tryHere<T>({ format, body }: RichText, budget: RecordBudget, work: () => T): T | null {
  if (body.length > shortCharacters || budget.hereMs <= 0) return null
  const start = performance.now()
  try {
    return format === 'html' || format === 'plain' ? work() : limitTime(Math.ceil(budget.hereMs), work)
  } finally {
    budget.hereMs -= performance.now() - start
  }
}

/** Finds the addresses in a thread. Null if that exceeds the text's budget. */
export async function findAddresses(text: RichText, budget = createRecordBudget()): Promise<here.TextAddresses | null> {
  return orOverBudget(runOnText<here.TextAddresses | null>('findAddresses', text, budget), async () => null)
}

/**
 * Converts a text in a thread. A text that exceeds its budget becomes plain text. `links` is null if finding the
 * addresses already took too long; then the conversion is not tried.
 */
export async function changeText(
  text: RichText,
  to: TextFormat,
  links: here.Replacements | null,
  budget = createRecordBudget(),
): Promise<ConvertedText> {
  const plain = () =>
    orOverBudget(runOnText<string>('changeToPlain', text, budget, to), () =>
      runOnText<string>('keepCharacters', text, null, to),
    )
  const simplified = async () => ({ body: await plain(), losses: { [tooComplex]: 1 } })
  return links
    ? orOverBudget(runOnText<ConvertedText>('changeText', text, budget, to, links), simplified)
    : simplified()
}

async function orOverBudget<T>(work: Promise<T>, instead: () => Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof OverBudgetError) return instead()
    throw error
  }
}

async function runOnText<T>(
  name: keyof typeof here,
  { format, body }: RichText,
  ofRecord: RecordBudget | null,
  ...args: unknown[]
): Promise<T> {
  const { length } = body
  if (length > budget.mostCharacters && ofRecord) throw new OverBudgetError('too long')
  const ofText = Math.min(budget.baseMs + (length / 1024 / 1024) * budget.msPerMegabyte, budget.mostMs)
  const cpuMs = Math.min(ofText, ofRecord?.threadMs ?? budget.mostMs)
  if (cpuMs <= 0) throw new OverBudgetError('the other texts of the record have taken its time')
  const onSpent = (spentMs: number) => {
    if (ofRecord) ofRecord.threadMs -= spentMs
  }
  return (await runInThread({ module, name, args: [{ format, body }, ...args], cpuMs, onSpent })) as T
}
