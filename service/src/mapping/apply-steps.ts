import { readMoment, toInstant } from '../connectors/files/read-moment.ts'
import type { DayFormat, LetterCase, Step } from '../db/mapping-changes.ts'
import type { FieldType } from '../families/definition.ts'

/** A text that is longer than this, before or after a step, stays unchanged, because it would block the event loop. */
const longest = 200_000
/** A text that would become more values than this stays unchanged. */
const mostParts = 1_000

export interface Stepped {
  values: string[]
  /** True if a value that should be a day is none. */
  isUnreadable: boolean
}

/** Applies the steps; null if a value is too long for them. Pure. */
export function applySteps(texts: readonly string[], steps: readonly Step[]): Stepped | null {
  let values: string[] = [...texts]
  let isUnreadable = false
  for (const step of steps) {
    if (isTooMuch(values)) return null
    if (step.do === 'join') {
      values = values.length === 0 ? [] : [values.join(step.by)]
      continue
    }
    const next: string[] = []
    for (const value of values) {
      const changed = applyStep(value, step)
      if (changed === null) return null
      isUnreadable ||= step.do === 'date' && changed.length === 0
      for (const one of changed) if (one !== '') next.push(one)
    }
    values = next
  }
  return isTooMuch(values) ? null : { values, isUnreadable }
}

const isTooMuch = (values: readonly string[]) =>
  values.length > mostParts || values.reduce((sum, { length }) => sum + length, 0) > longest

function applyStep(value: string, step: Exclude<Step, { do: 'join' }>): string[] | null {
  switch (step.do) {
    case 'replace': {
      const replaced = replaceAll(value, step.find, step.with)
      return replaced === null ? null : [replaced]
    }
    case 'case':
      return [changeCase(value, step.as)]
    case 'split':
      return splitText(value, step)
    case 'date':
      return rewriteDay(value, step.read, step.write)
  }
}

/** Replaces all occurrences. Null if the result would be too long. */
function replaceAll(text: string, find: string, into: string): string | null {
  const growth = into.length - find.length
  let length = text.length
  for (let at = text.indexOf(find); at >= 0 && growth > 0; at = text.indexOf(find, at + find.length)) {
    length += growth
    if (length > longest) return null
  }
  // A function as replacement, so that `$&` in the new text has no special meaning.
  return text.replaceAll(find, () => into)
}

function changeCase(text: string, as: LetterCase): string {
  if (as === 'upper') return text.toUpperCase()
  const lower = text.toLowerCase()
  if (as === 'lower') return lower
  if (as === 'title')
    return lower.replace(/(^|[\s-])(\p{Letter})/gu, (_, before, letter) => before + letter.toUpperCase())
  return lower.replace(/\p{Letter}/u, (letter) => letter.toUpperCase())
}

function splitText(text: string, { by, part }: Extract<Step, { do: 'split' }>): string[] {
  const parts = text.split(by, part === undefined || part < 0 ? undefined : part).map((one) => one.trim())
  if (part === undefined) return parts
  const found = part > 0 ? parts[part - 1] : parts.at(part)
  return found === undefined ? [] : [found]
}

function rewriteDay(text: string, order: Extract<Step, { do: 'date' }>['read'], format?: DayFormat): string[] {
  const moment = readMoment(text.trim(), order)
  if (!moment) return []
  const day = moment.at.toISODate()
  if (format === undefined) return [moment.hasTime ? toInstant(moment) : day]
  const [year, month, date] = day.split('-') as [string, string, string]
  return [format.replace('yyyy', year).replace('mm', month).replace('dd', date)]
}

/** A field's type after its steps, for finding its target. */
export function typeAfter(
  { type, many }: { type: FieldType; many: boolean },
  steps: readonly Step[],
): { type: FieldType; many: boolean } {
  let after = { type, many }
  for (const step of steps) {
    if (step.do === 'join') after = { type: 'text', many: false }
    else if (step.do === 'split' && step.part === undefined) after = { type: 'text', many: true }
    else if (step.do === 'date' && step.write === undefined) after = { ...after, type: 'datetime' }
    else after = { ...after, type: 'text' }
  }
  return after
}
