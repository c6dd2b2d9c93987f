import { refuse } from '../answers.ts'
import { errorOf } from './account.ts'

/** The texts, numbers and moments of a record under each name of the search language. */
export type Searched = Record<string, { kind: 'words' | 'exact' | 'moment'; values: readonly (string | number)[] }>

type Test = (record: Searched) => boolean

const bad = (message: string): never => refuse(400, errorOf(`Invalid query: ${message}`))

/** The words of a text, because an index has only words: no case, no punctuation, no order. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

function pieces(text: string): string[] {
  return text.match(/\(|\)|\[[^\]]*\]|[\w.]+:|"(?:[^"\\]|\\.)*"|[^\s()"[\]]+/gu) ?? []
}

const bare = (piece: string) => (piece.startsWith('"') ? piece.slice(1, -1).replace(/\\(.)/g, '$1') : piece)

function within(range: string): (ms: number) => boolean {
  const [, from = '*', to = '*'] = /^\[\s*(\S+)\s+TO\s+(\S+)\s*\]$/.exec(range) ?? (bad(`range ${range}`) as never)
  const bound = (text: string, otherwise: number) => {
    if (text === '*') return otherwise
    const ms = Date.parse(text)
    return Number.isNaN(ms) ? (bad(`moment ${text}`) as never) : ms
  }
  const [least, most] = [bound(from, Number.NEGATIVE_INFINITY), bound(to, Number.POSITIVE_INFINITY)]
  return (ms) => ms >= least && ms <= most
}

function term(name: string, piece: string): Test {
  return (record) => {
    const place = record[name] ?? (bad(`unknown field ${name}`) as never)
    if (place.kind === 'moment') {
      const holds = within(piece.startsWith('[') ? piece : `[${bare(piece)} TO *]`)
      return place.values.some((value) => holds(Number(value)))
    }
    const asked = bare(piece).toLowerCase()
    if (place.kind === 'exact') return place.values.some((value) => String(value).toLowerCase() === asked)
    const words = wordsOf(asked)
    return words.length > 0 && place.values.some((value) => hasAll(wordsOf(String(value)), words))
  }
}

const hasAll = (all: readonly string[], asked: readonly string[]) => asked.every((word) => all.includes(word))

/** A word without a field name is searched in all fields. */
const anywhere = (piece: string): Test => {
  const words = wordsOf(bare(piece))
  return (record) => {
    const all = Object.values(record).flatMap(({ values }) => values.flatMap((value) => wordsOf(String(value))))
    return words.length > 0 && hasAll(all, words)
  }
}

/** Understands `(tag:"red" AND NOT subject:"tea")`: names, quotes, brackets, ranges of time, AND, OR, NOT. */
export function parseQuery(text: string): Test {
  const rest = pieces(text.replaceAll(/[“”]/g, '"'))
  if (rest.length === 0) return () => true
  const one = (): Test => {
    const piece = rest.shift() ?? (bad('it ends too early') as never)
    if (piece === 'NOT') {
      const inner = one()
      return (record) => !inner(record)
    }
    if (piece === '(') {
      const inner = either()
      if (rest.shift() !== ')') bad('a bracket is missing')
      return inner
    }
    if (piece === ')') bad('a bracket is too much')
    if (!piece.endsWith(':')) return anywhere(piece)
    return term(piece.slice(0, -1), rest.shift() ?? (bad('a value is missing') as never))
  }
  const both = (): Test => {
    const tests = [one()]
    while (rest.length > 0 && rest[0] !== 'OR' && rest[0] !== ')') {
      if (rest[0] === 'AND') rest.shift()
      tests.push(one())
    }
    return (record) => tests.every((test) => test(record))
  }
  const either = (): Test => {
    const tests = [both()]
    while (rest[0] === 'OR') {
      rest.shift()
      tests.push(both())
    }
    return (record) => tests.some((test) => test(record))
  }
  const whole = either()
  if (rest.length > 0) bad('a bracket is too much')
  return whole
}
