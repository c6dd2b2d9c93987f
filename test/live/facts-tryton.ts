import { type Fact, type Facts, keyOf, readRows, sortedTexts } from './facts.ts'
import { inDatabase, type Place } from './place.ts'

type Row = Record<string, unknown> & { id: number }

/** Our key at the end of notes and descriptions, after the line with author and time. */
const ending = /(?:\n\n)?(?:— [^\n]*)?(?: · )?wherry:\S+$/

/** Everything in a Tryton that belongs to a CRM, by table and id. */
export function readTryton(place: Place): Promise<Facts> {
  return inDatabase(place, async (ask) => {
    const facts = new Map<string, Fact>()
    const rows = (query: string) => ask<Row>(query)
    const day = (column: string) => `to_char(${column}, 'YYYY-MM-DD') as ${column}`
    const addresses = await rows(
      `select a.party as id, a.active, a.street, a.postal_code, a.city, a.name, a.party_name, a.invoice, a.delivery, c.name as country, s.name as subdivision from party_address a left join country_country c on c.id = a.country left join country_subdivision s on s.id = a.subdivision`,
    )
    const mechanisms = await rows(`select party as id, type, value, name, comment, active from party_contact_mechanism`)
    const identifiers = await rows(
      `select party as id, type, code from party_identifier where code not like 'wherry:%'`,
    )
    const categories = await rows(
      `with recursive tree as (select id, name::text as path from party_category where parent is null union all select c.id, t.path || ' / ' || c.name from party_category c join tree t on t.id = c.parent) select r.party as id, t.path from party_category_rel r join tree t on t.id = r.category`,
    )
    const notes = await rows(`select 0 as id, resource, message from ir_note where coalesce(message, '') <> ''`)
    const files = await rows(`select 0 as id, resource, name, type, link, file_id, description from ir_attachment`)
    const of = (some: Row[], id: number) =>
      sortedTexts(some.filter((row) => row.id === id).map(({ id: _id, ...rest }) => rest))
    const hanging = (resource: string) => ({
      notes: notes
        .filter((note) => note.resource === resource)
        .map(({ message }) => plain(message))
        .filter((text) => text !== '')
        .sort(),
      files: sortedTexts(
        files
          .filter((file) => file.resource === resource)
          .map(({ name, type, link, file_id, description }) => [name, type, link, file_id, plain(description)]),
      ),
    })
    for (const { id, ...party } of await rows(`select id, code, name, active from party_party`)) {
      facts.set(keyOf('parties', id), {
        ...party,
        addresses: of(addresses, id),
        mechanisms: of(mechanisms, id),
        identifiers: of(identifiers, id),
        categories: of(categories, id),
        ...hanging(`party.party,${id}`),
      })
    }
    for (const { id, ...relation } of await rows(
      `select r.id, r.from_, r."to", t.name as type, v.name as reverse from party_relation r join party_relation_type t on t.id = r.type left join party_relation_type v on v.id = t.reverse`,
    ))
      facts.set(keyOf('relations', id), relation)
    for (const { id, ...deal } of await rows(
      `select o.id, o.description, o.state, o.amount::float8 as amount, o.conversion_probability as probability, ${day('start_date')}, ${day('end_date')}, o.comment, o.lost_reason, o.reference, o.number, o.party, (select p.name from company_employee e join party_party p on p.id = e.party where e.id = o.employee) as employee from sale_opportunity o`,
    )) {
      facts.set(keyOf('deals', id), { ...deal, comment: plain(deal.comment), ...hanging(`sale.opportunity,${id}`) })
    }
    return facts
  })
}

const plain = (text: unknown): string =>
  String(text ?? '')
    .replace(/\r\n?/g, '\n')
    .replace(ending, '')
    .trim()

/** Every row, except sessions and counters. */
export const readTrytonRows = (place: Place): Promise<Facts> =>
  inDatabase(place, (ask) =>
    readRows(ask, (table, column) => {
      if (table.endsWith('__history')) return true
      if (column !== undefined)
        return (
          column === 'password_hash' ||
          column === 'write_date' ||
          column === 'write_uid' ||
          column === 'number_next_internal'
        )
      return /^(ir_session|ir_session_wizard|ir_cache|ir_queue|ir_sequence|ir_cron|res_user_login_attempt|res_user_device|ir_error|res_user_application)/.test(
        table,
      )
    }),
  )
