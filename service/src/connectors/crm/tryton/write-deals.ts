import type { FoundRecord, OutgoingRecord, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import type { TrytonApi } from './api.ts'
import { createEach } from './create-each.ts'
import {
  type DealWish,
  needsPartyAndEmployee,
  readValueInWords,
  sameAmount,
  storedDeal,
  toDealWish,
  withValueInWords,
} from './deals-from-family.ts'
import { all, type Directory } from './directory.ts'
import { findMarkedDeals } from './find-marked.ts'
import { groupBy } from './load-parties.ts'
import { markerOf } from './marker.ts'
import { writtenOutcomes } from './outcomes.ts'
import { fieldsOf, type Row, takeRow } from './schema.ts'
import { isState } from './states.ts'
import { TrytonRefusal } from './tryton-refusal.ts'
import { readDate, readDecimal, toWireDate, toWireDecimal } from './wire-values.ts'

type Result = number | TrytonRefusal

export async function writeDeals(
  api: TrytonApi,
  directory: Directory,
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const marked = await findMarkedDeals(
    api,
    records.filter(({ destinationId }) => destinationId === null).map(({ key }) => key),
  )
  const tasks = records.map((record) => {
    const id = record.destinationId === null ? marked.get(record.key)?.[0] : Number(record.destinationId)
    return { record, key: record.key, wish: toDealWish(record), id: id ?? null }
  })
  const toValues = await prepareValues(
    api,
    directory,
    tasks.map(({ wish }) => wish),
  )
  const results = new Map<string, Result>()
  const fresh: { key: string; values: Record<string, unknown> }[] = []
  for (const { record, key, wish, id } of tasks) {
    if (needsPartyAndEmployee(wish.state) && (wish.partyId === null || wish.employeeId === null)) {
      const message =
        'Tryton wants a party and an employee for it: give it an account or contact, and an owner who is an employee there.'
      results.set(key, new TrytonRefusal('refused', message))
    } else if (id === null) {
      const own = {
        start_date: wish.startsOn ?? record.createdAt?.slice(0, 10) ?? null,
        number: wish.number || null,
        notes: [['create', [{ message: markerOf(key) }]]],
      }
      fresh.push({ key, values: { ...toValues(wish), ...withoutNulls(own) } })
    } else {
      results.set(key, await change(api, id, toValues(wish)))
    }
  }
  const created = await createEach(api, 'sale.opportunity', fresh)
  for (const [index, { key }] of fresh.entries()) results.set(key, created[index] as Result)
  const written = records.flatMap(({ key }) => {
    const id = results.get(key)
    return typeof id === 'number' ? [{ key, id }] : []
  })
  return writtenOutcomes(records, results, await readDeals(api, directory, written))
}

async function change(api: TrytonApi, id: number, values: Record<string, unknown>): Promise<Result> {
  try {
    await api.write('sale.opportunity', [id], values)
    return id
  } catch (error) {
    if (error instanceof TrytonRefusal) return error
    throw error
  }
}

/** Looks up what all of these need: the company with its currency, and ways to reach their contacts. */
async function prepareValues(
  api: TrytonApi,
  directory: Directory,
  wishes: readonly DealWish[],
): Promise<(wish: DealWish) => Record<string, unknown>> {
  const { company } = await api.preferences()
  const [own] = await all(api, 'company.company', company === null ? [] : [['id', '=', company]])
  const currency = (await directory.currencies()).get(own?.currency ?? -1)
  const people = [
    ...new Set(
      wishes.flatMap(
        ({ contactId, partyId, contactValue }) => contactId ?? (contactValue === '' ? [] : (partyId ?? [])),
      ),
    ),
  ]
  const rows =
    people.length === 0 ? [] : await all(api, 'party.contact_mechanism', [['party', 'in', people]], ['party', 'value'])
  const mechanisms = groupBy(rows, ({ party }) => party)
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

/** Of the company's own currency, and not finer than that is counted; Tryton takes 14 digits before the point. */
function fits({ amount, currency }: { amount: string; currency: string }, own?: Row<'currency.currency'>): boolean {
  const [whole = '', decimals = ''] = sameAmount(amount).split('.')
  return own?.code === currency && decimals.length <= (own.digits ?? 2) && whole.length <= 14
}

function withoutNulls({ start_date, ...rest }: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries({ ...rest, start_date: typeof start_date === 'string' ? toWireDate(start_date) : null })
  return Object.fromEntries(given.filter(([, value]) => value !== null))
}

export async function findDeals(
  api: TrytonApi,
  directory: Directory,
  sought: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  const marked = await findMarkedDeals(
    api,
    sought.map(({ key }) => key),
  )
  const wanted = sought.flatMap(({ key, destinationId }) => {
    const ids = marked.get(key) ?? (destinationId === null ? [] : [Number(destinationId)])
    return ids.map((id) => ({ key, id }))
  })
  return readDeals(api, directory, wanted)
}

async function readDeals(
  api: TrytonApi,
  directory: Directory,
  wanted: readonly { key: string; id: number }[],
): Promise<FoundRecord[]> {
  if (wanted.length === 0) return []
  const ids = wanted.map(({ id }) => id)
  const found = await api.search('sale.opportunity', [['id', 'in', ids]], { fields: fieldsOf('sale.opportunity') })
  const rows = found.map((raw) => takeRow('sale.opportunity', raw).row)
  const contactIds = rows.flatMap(({ contact }) => contact ?? [])
  const [currencies, contacts] = await Promise.all([
    directory.currencies(),
    contactIds.length === 0 ? [] : all(api, 'party.contact_mechanism', [['id', 'in', contactIds]], ['party']),
  ])
  const partyOf = new Map(contacts.map(({ id, party }) => [id, party ?? null]))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return wanted.flatMap(({ key, id }) => {
    const row = byId.get(id)
    if (!row) return []
    const currency = currencies.get(row.currency ?? -1)?.code ?? ''
    return {
      key,
      destinationId: String(id),
      url: api.urlOf('sale.opportunity', id),
      version: JSON.stringify(row.write_date ?? row.create_date),
      fields: toStored(row, currency, partyOf.get(row.contact ?? -1) ?? null),
      customFields: {},
      createdAt: null,
      updatedAt: null,
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
