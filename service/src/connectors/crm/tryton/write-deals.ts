import type { OutgoingRecord, RemovableRecord, WriteOutcome } from '../../contract/contract.ts'
import { once } from '../../kit/once.ts'
import { refused } from '../../kit/outcomes.ts'
import type { Values } from './api.ts'
import {
  type DealWish,
  dayOf,
  needsPartyAndEmployee,
  readValueInWords,
  sameAmount,
  storedDeal,
  toDealWish,
  withValueInWords,
} from './deals-from-family.ts'
import { type FoundRow, knownIds, rulesOf } from './find-rows.ts'
import { textOf } from './from-family.ts'
import { markerOf } from './marker.ts'
import { reasonsToKeepDeals } from './removal-rules.ts'
import { removeRows } from './remove-rows.ts'
import type { Row } from './schema.ts'
import { isState } from './states.ts'
import { cleanLine } from './texts.ts'
import type { Tryton } from './tryton.ts'
import { readDate, readDecimal, stampOf, toWireDate, toWireDecimal } from './wire-values.ts'
import { writeRows } from './write-rows.ts'

/** Finds opportunities by the note that holds only our key. */
export const dealRules = (tryton: Tryton) =>
  rulesOf(
    (ids) => readDeals(tryton, ids),
    async (sought) => {
      const domain = [
        ['message', 'in', sought.map(({ key }) => markerOf(key))],
        ['resource.id', '>', 0, 'sale.opportunity'],
      ]
      const rows = await tryton.rows('ir.note', domain, ['message', 'resource'])
      return rows.map(({ message, resource }) => [message ?? '', Number(resource?.split(',')[1])])
    },
  )

async function readDeals(tryton: Tryton, ids: number[]): Promise<FoundRow[]> {
  const rows = await tryton.rowsIn('sale.opportunity', 'id', ids)
  const contactIds = rows.flatMap(({ contact }) => contact ?? [])
  const [currencies, contacts] = await Promise.all([
    tryton.currencies(),
    tryton.rowsIn('party.contact_mechanism', 'id', contactIds, ['party']),
  ])
  const partyOf = new Map(contacts.map(({ id, party }) => [id, party ?? null]))
  return rows.map((row) => {
    const { id, party = null } = row
    const { comment, value } = readValueInWords(row.comment ?? '')
    const contact = partyOf.get(row.contact ?? -1) ?? null
    const currency = currencies.get(row.currency ?? -1)?.code ?? ''
    const stored: DealWish = {
      name: row.description ?? '',
      state: isState(row.state) ? row.state : 'lead',
      value: row.amount ? { amount: readDecimal(row.amount), currency } : value,
      party,
      contact: contact === party ? null : contact,
      employee: row.employee ?? null,
      comment,
      probability: Math.round((row.conversion_probability ?? 0) * 100),
      ends_on: row.end_date ? readDate(row.end_date) : null,
      lost_reason: row.lost_reason ?? '',
      reference: row.reference ?? '',
    }
    return { id, url: tryton.urlOf('sale.opportunity', id), version: stampOf(row), fields: storedDeal(stored) }
  })
}

export async function writeDeals(tryton: Tryton, records: readonly OutgoingRecord[]): Promise<WriteOutcome[]> {
  const rules = dealRules(tryton)
  const known = await knownIds(rules, records)
  const wishes = records.map((record) => {
    const custom = (key: string) => textOf(record.customFields[key]?.value)
    const startsOn = dayOf(custom('start_date')) ?? dayOf(record.createdAt)
    const number = cleanLine(custom('number'))
    const own = {
      ...(startsOn && { start_date: toWireDate(startsOn) }),
      ...(number && { number }),
      notes: [['create', [{ message: markerOf(record.key) }]]],
    }
    return { key: record.key, wish: toDealWish(record), own, contactValue: custom('contact') }
  })
  const toValues = await prepareValues(tryton, wishes)
  const tasks = wishes.map((one) => {
    const { key, wish, own } = one
    if (needsPartyAndEmployee(wish.state) && (wish.party === null || wish.employee === null)) {
      const message =
        'Tryton wants a party and an employee for it: give it an account or contact, and an owner who is an employee there.'
      return refused(key, 'refused', message)
    }
    const id = known.get(key) ?? null
    return { key, id, values: { ...toValues(one), ...(id === null && own) } }
  })
  return writeRows(tryton, 'sale.opportunity', rules, tasks)
}

interface WishedDeal {
  wish: DealWish
  /** The phone number or address by which the contact person is contacted. */
  contactValue: string
}

/** Loads the company's currency and the contact mechanisms that the deals refer to. */
async function prepareValues(tryton: Tryton, wishes: readonly WishedDeal[]): Promise<(one: WishedDeal) => Values> {
  const { company } = await tryton.preferences()
  const [own] = await tryton.rows('company.company', company === null ? [] : [['id', '=', company]])
  const currency = (await tryton.currencies()).get(own?.currency ?? -1)
  const people = wishes.flatMap(
    ({ wish: { contact, party }, contactValue }) => contact ?? (contactValue === '' ? [] : (party ?? [])),
  )
  const rows = await tryton.rowsIn('party.contact_mechanism', 'party', people, ['party', 'value'])
  const mechanisms = Map.groupBy(rows, ({ party }) => party)
  return ({ wish, contactValue }) => {
    const reachable = mechanisms.get(wish.contact ?? wish.party ?? -1) ?? []
    const exact = reachable.find(({ value }) => value === contactValue)
    const contact = exact ?? (wish.contact === null ? undefined : reachable[0])
    const amount = wish.value && fits(wish.value, currency) ? toWireDecimal(sameAmount(wish.value.amount)) : null
    const comment = wish.value && amount === null ? withValueInWords(wish.comment, wish.value) : wish.comment
    return {
      company: own?.id ?? null,
      description: wish.name || null,
      state: wish.state,
      amount,
      party: wish.party,
      contact: contact?.id ?? null,
      employee: wish.employee,
      comment: comment || null,
      conversion_probability: wish.probability / 100,
      end_date: wish.ends_on === null ? null : toWireDate(wish.ends_on),
      lost_reason: wish.lost_reason || null,
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

export function removeDeals(tryton: Tryton, records: RemovableRecord[]) {
  const ids = records.map(({ destinationId }) => Number(destinationId))
  const ownNotes = async (some: number[]) => {
    const domain = [
      ['message', 'in', records.map(({ key }) => markerOf(key))],
      ['resource', 'in', some.map((id) => `sale.opportunity,${id}`)],
    ]
    return (await tryton.search('ir.note', domain, ['resource'])).map(({ id }) => id)
  }
  const reasons = once(async () => reasonsToKeepDeals(tryton, ids, await ownNotes(ids)))
  const removal = {
    ...dealRules(tryton),
    model: 'sale.opportunity',
    // Cancelling a deal changes it, so Tryton would refuse the old timestamp.
    hasTimestamps: false,
    findNeed: async ({ id }: FoundRow) => (await reasons()).get(id) ?? null,
    /** Tryton deletes only cancelled opportunities, and cancels only open ones. */
    async before(going: number[]) {
      const closed = [
        ['id', 'in', going],
        ['state', 'in', ['converted', 'won', 'lost']],
      ]
      const rows = await tryton.search('sale.opportunity', closed, ['state'])
      if (rows.length > 0) {
        const rowIds = rows.map(({ id }) => id)
        await tryton.write('sale.opportunity', rowIds, { state: 'cancelled' })
      }
      await tryton.remove('ir.note', await ownNotes(going))
    },
  }
  return removeRows(tryton, removal, records)
}
