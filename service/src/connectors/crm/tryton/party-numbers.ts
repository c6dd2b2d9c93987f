import Type from 'typebox'
import { Check } from 'typebox/value'
import { ObstacleError } from '../../../errors.ts'
import { digestOf } from '../../kit/keys.ts'
import { TrytonRefusal } from './read-answer.ts'
import type { Tryton } from './tryton.ts'

/**
 * Chooses the codes of new parties. Codes are unique in Tryton, so a code that another party has gets a suffix. A
 * record always gets the same suffix.
 */
export async function chooseCodes(
  tryton: Tryton,
  wishes: readonly { key: string; code: string | null }[],
): Promise<Map<string, string>> {
  const wanted = wishes.flatMap(({ code }) => code ?? [])
  if (wanted.length === 0) return new Map()
  const taken = new Set((await tryton.rowsIn('party.party', 'code', wanted, ['code'])).map(({ code }) => code))
  const chosen = new Map<string, string>()
  for (const { key, code } of wishes) {
    if (code === null) continue
    const free = taken.has(code) ? `${code}~${digestOf(key, 6)}` : code
    taken.add(free)
    chosen.set(key, free)
  }
  await keepSequenceAhead(tryton, [...chosen.values()])
  return chosen
}

const number = Type.Union([Type.Integer(), Type.Null()])
const text = Type.Union([Type.String(), Type.Null()])
const configuration = Type.Array(Type.Object({ party_sequence: number }))
const sequence = Type.Object({ prefix: text, suffix: text, number_next: number })

/**
 * Tryton numbers new parties from a sequence and fails if the next number is taken. So we move the sequence past the
 * imported numbers. If the user may not do that, it stays; `preflight` reports it before the import.
 */
async function keepSequenceAhead(tryton: Tryton, codes: readonly string[]): Promise<void> {
  try {
    const settings = await tryton.call('model.party.configuration.read', [[1], ['party_sequence']])
    const id = Check(configuration, settings) ? settings[0]?.party_sequence : null
    if (!id) return
    const [raw] = await tryton.search('ir.sequence', [['id', '=', id]], ['prefix', 'suffix', 'number_next'])
    if (!Check(sequence, raw)) return
    const { prefix, suffix, number_next } = raw
    const numbers = codes
      .filter((code) => code.startsWith(prefix ?? '') && code.endsWith(suffix ?? ''))
      .map((code) => code.slice((prefix ?? '').length, code.length - (suffix ?? '').length))
      .filter((text) => /^\d{1,12}$/.test(text))
      .map(Number)
    const largest = Math.max(...numbers, 0)
    if (number_next !== null && largest >= number_next)
      await tryton.write('ir.sequence', [id], { number_next: largest + 1 })
  } catch (error) {
    const isForbidden = error instanceof ObstacleError && error.code === 'not_permitted'
    if (!isForbidden && !(error instanceof TrytonRefusal)) throw error
  }
}
