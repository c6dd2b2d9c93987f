import { createHash } from 'node:crypto'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { ObstacleError } from '../../../errors.ts'
import type { TrytonApi } from './api.ts'
import { all } from './directory.ts'
import { TrytonRefusal } from './tryton-refusal.ts'

/**
 * The codes under which these parties can be created. A code must be unique in Tryton: one that another party has gets
 * a few letters after it, always the same ones for the same record.
 */
export async function chooseCodes(
  api: TrytonApi,
  wishes: readonly { key: string; code: string | null }[],
): Promise<Map<string, string>> {
  const wanted = wishes.flatMap(({ code }) => code ?? [])
  if (wanted.length === 0) return new Map()
  const taken = new Set((await all(api, 'party.party', [['code', 'in', wanted]], ['code'])).map(({ code }) => code))
  const chosen = new Map<string, string>()
  for (const { key, code } of wishes) {
    if (code === null) continue
    const free = taken.has(code) ? `${code}~${createHash('sha256').update(key).digest('hex').slice(0, 6)}` : code
    taken.add(free)
    chosen.set(key, free)
  }
  await keepSequenceAhead(api, [...chosen.values()])
  return chosen
}

const configuration = Type.Array(Type.Object({ party_sequence: Type.Union([Type.Integer(), Type.Null()]) }))
const sequence = Type.Object({
  prefix: Type.Union([Type.String(), Type.Null()]),
  suffix: Type.Union([Type.String(), Type.Null()]),
  number_next: Type.Union([Type.Integer(), Type.Null()]),
})

/**
 * Tryton numbers new parties one by one, and fails to create one whose number is taken. So its sequence is moved past
 * the numbers that come in. A user who may not do that leaves it as it is; `preflight` says so beforehand.
 */
async function keepSequenceAhead(api: TrytonApi, codes: readonly string[]): Promise<void> {
  try {
    const settings = await api.call('model.party.configuration.read', [[1], ['party_sequence']])
    const id = Check(configuration, settings) ? settings[0]?.party_sequence : null
    if (!id) return
    const [raw] = await api.search('ir.sequence', [['id', '=', id]], { fields: ['prefix', 'suffix', 'number_next'] })
    if (!Check(sequence, raw)) return
    const { prefix, suffix, number_next } = raw
    const numbers = codes
      .filter((code) => code.startsWith(prefix ?? '') && code.endsWith(suffix ?? ''))
      .map((code) => code.slice((prefix ?? '').length, code.length - (suffix ?? '').length))
      .filter((text) => /^\d{1,12}$/.test(text))
      .map(Number)
    const largest = Math.max(...numbers, 0)
    if (number_next !== null && largest >= number_next)
      await api.write('ir.sequence', [id], { number_next: largest + 1 })
  } catch (error) {
    const isForbidden = error instanceof ObstacleError && error.code === 'not_permitted'
    if (!isForbidden && !(error instanceof TrytonRefusal)) throw error
  }
}
