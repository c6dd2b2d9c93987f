import type { FoundRecord, OutgoingRecord, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import { refused } from '../../kit/outcomes.ts'
import type { Values } from './api.ts'
import {
  type DealWish,
  needsPartyAndEmployee,
  readValueInWords,
  sameAmount,
  storedDeal,
  toDealWish,
  withValueInWords,
} from './deals-from-family.ts'
import { findMarkedDeals } from './find-marked.ts'
import { markerOf } from './marker.ts'
import type { Row } from './schema.ts'
import { isState } from './states.ts'
import type { Tryton } from './tryton.ts'
import { readDate, readDecimal, toWireDate, toWireDecimal } from './wire-values.ts'
import { stampOf } from './write-notes.ts'
import { foundIn, isNew, knownId, type Wanted, wantedOf, writeTasks } from './write-tasks.ts'

export async function writeDeals(tryton: Tryton, records: readonly OutgoingRecord[]): Promise<WriteOutcome[]> {
  const marked = await findMarkedDeals(tryton, records.filter(isNew))
  const toValues = await prepareValues(tryton, records.map(toDealWish))
  const tasks = records.map((record) => {
    const { key, createdAt } = record
    const wish = toDealWish(record)
    if (needsPartyAndEmployee(wish.state) && (wish.partyId === null || wish.employeeId === null)) {
      const message =
        'Tryton wants a party and an employee for it: give it an account or contact, and an owner who is an employee there.'
      return refused(key, 'refused', message)
    }
    const id = knownId(record, marked)
    const startsOn = wish.startsOn ?? createdAt?.slice(0, 10)
    const own = {
      ...(startsOn && { start_date: toWireDate(startsOn) }),
      ...(wish.number && { number: wish.number }),
      notes: [['create', [{ message: markerOf(key) }]]],
    }
    return { key, id, values: { ...toValues(wish), ...(id === null && own) } }
  })
  return writeTasks(tryton, 'sale.opportunity', tasks, (written) => readDeals(tryton, written))
}

/** Loads the company's currency and the contact mechanisms that the deals refer to. */
async function prepareValues(tryton: Tryton, wishes: readonly DealWish[]): Promise<(wish: DealWish) => Values> {
  const { company } = await tryton.preferences()
  const [own] = await tryton.rows('company.company', company === null ? [] : [['id', '=', company]])
  const currency = (await tryton.currencies()).get(own?.currency ?? -1)
  const people = wishes.flatMap(
    ({ contactId, partyId, contactValue }) => contactId ?? (contactValue === '' ? [] : (partyId ?? [])),
  )
  const rows = await tryton.rowsIn('party.contact_mechanism', 'party', [...new Set(people)], ['party', 'value'])
  const mechanisms = Map.groupBy(rows, ({ party }) => party)
  return (wish) => {
    const reachable = mechanisms.get(wish.contactId ?? wish.partyId ?? -1) ?? []
    const exact = reachable.find(({ value }) => value === wish.contactValue)
    const contact = exact ?? (wish.contactId === null ? undefined : reachable[0])
    const isCounted = wish.value !== null && fits(wish.value, currency)
    const comment = wish.value === null || isCounted ? wish.comment : withValueInWords(wish.comment, wish.value)
    return {
      company: own?.id ?? null,
      description: wish.name || null,
      state: wish.state,
      amount: isCounted && wish.value ? toWireDecimal(sameAmount(wish.value.amount)) : null,
      party: wish.partyId,
      contact: contact?.id ?? null,
      employee: wish.employeeId,
      comment: comment || null,
      conversion_probability: wish.probability / 100,
      end_date: wish.endsOn === null ? null : toWireDate(wish.endsOn),
      lost_reason: wish.lostReason || null,
      reference: wish.reference || null,
    }
  }
}

/**
 * Whether Tryton can store the amount: in the company's currency, with its number of decimals, and at most 14 digits
 * before the point.
 */
function fits({ amount, currency }: { amount: string; currency: string }, own?: Row<'currency.currency'>): boolean {
  const [whole = '', decimals = ''] = sameAmount(amount).split('.')
  return own?.code === currency && decimals.length <= (own.digits ?? 2) && whole.length <= 14
}

export const findDeals = async (tryton: Tryton, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> =>
  readDeals(tryton, wantedOf(sought, await findMarkedDeals(tryton, sought)))

async function readDeals(tryton: Tryton, wanted: readonly Wanted[]): Promise<FoundRecord[]> {
  if (wanted.length === 0) return []
  const ids = wanted.map(({ id }) => id)
  const rows = await tryton.rowsIn('sale.opportunity', 'id', ids)
  const contactIds = rows.flatMap(({ contact }) => contact ?? [])
  const [currencies, contacts] = await Promise.all([
    tryton.currencies(),
    tryton.rowsIn('party.contact_mechanism', 'id', contactIds, ['party']),
  ])
  const partyOf = new Map(contacts.map(({ id, party }) => [id, party ?? null]))
  return foundIn(new Map(rows.map((row) => [row.id, row])), wanted, (row, id) => {
    const currency = currencies.get(row.currency ?? -1)?.code ?? ''
    return {
      url: tryton.urlOf('sale.opportunity', id),
      version: stampOf(row),
      fields: toStored(row, currency, partyOf.get(row.contact ?? -1) ?? null),
    }
  })
}

function toStored(row: Row<'sale.opportunity'>, currency: string, contactParty: number | null) {
  const { comment, value } = readValueInWords(row.comment ?? '')
  const partyId = row.party ?? null
  return storedDeal({
    name: row.description ?? '',
    state: isState(row.state) ? row.state : 'lead',
    value: row.amount ? { amount: readDecimal(row.amount), currency } : value,
    partyId,
    contactId: contactParty === partyId ? null : contactParty,
    employeeId: row.employee ?? null,
    comment,
    probability: Math.round((row.conversion_probability ?? 0) * 100),
    endsOn: row.end_date ? readDate(row.end_date) : null,
    lostReason: row.lost_reason ?? '',
    reference: row.reference ?? '',
  })
}
