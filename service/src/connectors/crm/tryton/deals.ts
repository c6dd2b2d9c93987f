import type { OutgoingRecord } from '../../contract/contract.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { refused } from '../../kit/outcomes.ts'
import type { Values } from './api.ts'
import * as family from './from-family.ts'
import { findNotesAndFiles } from './notes.ts'
import { type FoundRow, knownIds, type RowRules, rowActs, rulesOf, writeRows } from './rows.ts'
import { type Row, readDate, readDecimal, stampOf, toWireDate, toWireDecimal } from './schema.ts'
import { isState } from './states.ts'
import { cleanLine, markerOf } from './texts.ts'
import type { Tryton } from './tryton.ts'

export function dealActs(tryton: Tryton): Omit<WrittenEntity, 'declared'> {
  /** Opportunities are marked by a note that holds only our key. */
  const findMarkers = (records: readonly { key: string }[], place: unknown[]) => {
    const markers = records.map(({ key }) => markerOf(key))
    return tryton.rows('ir.note', ['AND', ['message', 'in', markers], place], ['message', 'resource'])
  }
  const look = (records: readonly { key: string }[]) =>
    rulesOf({
      model: 'sale.opportunity',
      // Cancelling a deal changes it, so Tryton would refuse the old timestamp.
      hasTimestamps: false,
      read: (ids) => readDeals(tryton, ids),
      async findMarks(sought) {
        const notes = await findMarkers(sought, ['resource.id', '>', 0, 'sale.opportunity'])
        return notes.map(({ message, resource }) => [message ?? '', Number(resource?.split(',')[1])])
      },
      async ownNotes(ids) {
        const resources = ids.map((id) => `sale.opportunity,${id}`)
        return (await findMarkers(records, ['resource', 'in', resources])).map(({ id }) => id)
      },
      reasons: (ids, ownNotes) => reasonsToKeep(tryton, ids, ownNotes),
      before: (ids) => cancel(tryton, ids),
    })
  return rowActs(tryton, look, (records) => writeDeals(tryton, look(records), records))
}

async function reasonsToKeep(tryton: Tryton, ids: number[], ownNotes: number[]): Promise<Map<number, string>> {
  const reasons = await findNotesAndFiles(tryton, 'sale.opportunity', ids, ownNotes)
  for (const { id, sales } of await tryton.search('sale.opportunity', [['id', 'in', ids]], ['sales'])) {
    if (Array.isArray(sales) && sales.length > 0) reasons.set(id, 'Sales were made from it.')
  }
  return reasons
}

/** Tryton deletes only cancelled opportunities, and cancels only open ones. */
async function cancel(tryton: Tryton, ids: number[]): Promise<void> {
  const domain = ['AND', ['id', 'in', ids], ['state', 'in', ['converted', 'won', 'lost']]]
  const closed = (await tryton.search('sale.opportunity', domain, ['state'])).map(({ id }) => id)
  if (closed.length > 0) await tryton.write('sale.opportunity', closed, { state: 'cancelled' })
}

async function readDeals(tryton: Tryton, ids: number[]): Promise<FoundRow[]> {
  const rows = await tryton.rowsIn('sale.opportunity', 'id', ids)
  const contactIds = rows.flatMap(({ contact }) => contact ?? [])
  const [currencies, contacts] = await Promise.all([
    tryton.currencies(rows.map(({ currency }) => currency)),
    tryton.rowsIn('party.contact_mechanism', 'id', contactIds, ['party']),
  ])
  const partyOf = new Map(contacts.map(({ id, party }) => [id, party ?? null]))
  return rows.map((row) => {
    const { id, party = null } = row
    const { comment, value } = family.readValueInWords(row.comment ?? '')
    const contact = partyOf.get(row.contact ?? -1) ?? null
    const currency = currencies.get(row.currency ?? -1)?.code ?? ''
    const stored: family.DealWish = {
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
    return { id, url: tryton.urlOf('sale.opportunity', id), version: stampOf(row), fields: family.storedDeal(stored) }
  })
}

async function writeDeals(tryton: Tryton, rules: RowRules, records: readonly OutgoingRecord[]) {
  const known = await knownIds(rules, records)
  const wishes = records.map((record) => {
    const custom = (key: string) => family.textOf(record.customFields[key]?.value)
    const startsOn = family.dayOf(custom('start_date')) ?? family.dayOf(record.createdAt)
    const number = cleanLine(custom('number'))
    const onlyNew = {
      ...(startsOn && { start_date: toWireDate(startsOn) }),
      ...(number && { number }),
      notes: [['create', [{ message: markerOf(record.key) }]]],
    }
    return { ...family.toDealWish(record), key: record.key, contactValue: custom('contact'), onlyNew }
  })
  const toValues = await prepareValues(tryton, wishes)
  const tasks = wishes.map((wish) => {
    const { key, state, party, employee, onlyNew } = wish
    if (family.needsPartyAndEmployee(state) && (party === null || employee === null)) {
      const message =
        'Tryton wants a party and an employee for it: give it an account or contact, and an owner who is an employee there.'
      return refused(key, 'refused', message)
    }
    const id = known.get(key) ?? null
    return { key, id, values: { ...toValues(wish), ...(id === null && onlyNew) } }
  })
  return writeRows(tryton, rules, tasks)
}

/** `contactValue` is the phone number or address by which the contact person is contacted. */
type WishedDeal = family.DealWish & { contactValue: string }

async function prepareValues(tryton: Tryton, wishes: readonly WishedDeal[]): Promise<(wish: WishedDeal) => Values> {
  const { company } = await tryton.preferences()
  const [own] = await tryton.rows('company.company', company === null ? [] : [['id', '=', company]])
  const currency = (await tryton.currencies([own?.currency])).get(own?.currency ?? -1)
  const people = wishes.flatMap(
    ({ contact, party, contactValue }) => contact ?? (contactValue === '' ? [] : (party ?? [])),
  )
  const rows = await tryton.rowsIn('party.contact_mechanism', 'party', people, ['party', 'value'])
  const mechanisms = Map.groupBy(rows, ({ party }) => party)
  return (wish) => {
    const reachable = mechanisms.get(wish.contact ?? wish.party ?? -1) ?? []
    const exact = reachable.find(({ value }) => value === wish.contactValue)
    const contact = exact ?? (wish.contact === null ? undefined : reachable[0])
    const amount = wish.value && fits(wish.value, currency) ? toWireDecimal(family.sameAmount(wish.value.amount)) : null
    const comment = wish.value && amount === null ? family.withValueInWords(wish.comment, wish.value) : wish.comment
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

/** Tryton stores amounts in the company's currency, with its decimals and at most 14 digits before the point. */
function fits({ amount, currency }: { amount: string; currency: string }, own?: Row<'currency.currency'>): boolean {
  const [whole = '', decimals = ''] = family.sameAmount(amount).split('.')
  return own?.code === currency && decimals.length <= (own.digits ?? 2) && whole.length <= 14
}
