import type { FieldType } from '../../families/definition.ts'
import type { Money, SingleValue } from '../../families/record.ts'
import type { CellFormat, ColumnRole, DayOrder } from '../contract/upload-contract.ts'
import { readMoment, toDay, toInstant } from './read-moment.ts'
import { toRichText } from './rich-text.ts'

// Reads one cell as one value of a field. Undefined means that the text does not fit the field's type.

const truths = new Set(['true', 'yes', 'y', '1', 'x', 'ja', 'j', 'wahr', 'on', 'oui', 'vrai', 'si', 'sí', 'verdadero'])
const untruths = new Set(['false', 'no', 'n', '0', 'nein', 'falsch', 'off', 'non', 'faux', 'falso'])
const currencies: Record<string, string> = { '€': 'EUR', $: 'USD', '£': 'GBP' }

/** Facts about a cell besides its text. */
export interface CellRules {
  currency?: string | null
  /** The text format of the cell's column. */
  text?: CellFormat | undefined
  /** The order of day, month and year in the cell's column. */
  order?: DayOrder | null | undefined
  allowsShortYears?: boolean
}

/** A birthday with the year 45 may be 1945. A date in a custom field stays text rather than get the wrong century. */
export const allowsShortYears = (role: ColumnRole): boolean =>
  role.kind !== 'custom' && !(role.kind === 'field' && role.field === 'birthday')

export function readCell(type: FieldType, cell: string, rules: CellRules): SingleValue | undefined {
  const text = cell.trim()
  switch (type) {
    case 'text':
    case 'long_text':
      return cell
    case 'option':
    case 'url':
      return text
    case 'rich_text':
      return toRichText(cell, rules.text)
    case 'integer': {
      const number = readNumber(text)
      return Number.isSafeInteger(number) ? number : undefined
    }
    case 'decimal':
      return readNumber(text)
    case 'boolean':
      return readBoolean(text)
    case 'date':
      return readTime(text, rules, toDay)
    case 'datetime':
      return readTime(text, rules, toInstant)
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(text) ? { address: text } : undefined
    case 'phone':
      return { number: text }
    case 'address':
      return { line1: text }
    case 'money':
      return readMoney(text, rules.currency ?? null)
    // See to-family.ts: these depend on the whole table.
    case 'user':
    case 'relation':
      return undefined
  }
}

export function readBoolean(text: string): boolean | undefined {
  const word = text.toLowerCase()
  if (truths.has(word)) return true
  return untruths.has(word) ? false : undefined
}

/**
 * Reads `1234.5` and `1234,5`. Grouped thousands are refused, because `1.234` is ambiguous. A number with leading zeros
 * is a code, so it is refused too.
 */
export function readNumber(text: string): number | undefined {
  if (!/^-?(0|[1-9]\d{0,14})([.,]\d{1,15})?$/.test(text)) return undefined
  return Number(text.replace(',', '.'))
}

/** Reads a day or moment. Undefined if its century is uncertain. */
export function readTime(
  text: string,
  { order, allowsShortYears: short = false }: CellRules,
  show: typeof toDay,
): string | undefined {
  const moment = readMoment(text, order)
  return moment && (short || !moment.isShortYear) ? show(moment) : undefined
}

function readMoney(text: string, currency: string | null): Money | undefined {
  const match = /^([A-Z]{3}|[€$£])?\s*(-?\d+(?:[.,]\d{1,4})?)\s*([A-Z]{3}|[€$£])?$/.exec(text)
  const given = match?.[1] ?? match?.[3] ?? currency
  if (!match?.[2] || !given) return undefined
  return { amount: match[2].replace(',', '.'), currency: currencies[given] ?? given }
}

/** Splits a cell with a list: a JSON list of texts, or texts with a separator between them. */
export function splitCell(cell: string): string[] {
  if (cell.startsWith('[')) {
    try {
      const list: unknown = JSON.parse(cell)
      if (Array.isArray(list) && list.every((one) => typeof one === 'string')) return list
    } catch {
      // The cell is no JSON list: the bracket is part of the text.
    }
  }
  return cell
    .split(/[;,|\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
