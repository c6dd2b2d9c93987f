import { answer, refuse, type TwinAnswer, type TwinRequest } from '../answers.ts'
import { numberOf } from '../pages.ts'
import type { Kept, Store } from '../store.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, type Company, type Contact, invalid, type Ticket } from './account.ts'
import { presentCompany } from './companies.ts'
import { presentContact } from './contacts.ts'
import { fieldsOf } from './fields.ts'
import { shapes } from './shapes.ts'
import { presentListed } from './tickets.ts'

type Test<T> = (record: T) => boolean
/** A record's value of a field; undefined for a field that cannot be searched. */
type FieldOf<T> = (field: string) => ((record: T) => unknown) | undefined

const wrongQuery = (): never => invalid('query', 'Given query is invalid')

/** `(a:1 OR b:'text') AND c:true`; dates and numbers also by `:>` and `:<`, both of which include the bound. */
function parseQuery<T>(text: string, fieldOf: FieldOf<T>): Test<T> {
  const tokens = text.match(/\(|\)|\b(?:AND|OR)\b|\w+:\s*[<>]?\s*(?:'[^']*'|[^\s()']+)|\S+/g) ?? []
  let at = 0
  const single = (): Test<T> => {
    const token = tokens[at++]
    if (token === '(') {
      const inner = either()
      return tokens[at++] === ')' ? inner : wrongQuery()
    }
    const [, field = '', sign = '', quoted, word] =
      /^(\w+):\s*([<>]?)\s*(?:'([^']*)'|([^\s()']+))$/.exec(token ?? '') ?? []
    if (field === '') return wrongQuery()
    const read = fieldOf(field) ?? invalid(field, 'Unexpected/invalid field in request', { code: 'invalid_field' })
    return (record) => compare(read(record), quoted ?? word ?? '', sign, quoted === undefined)
  }
  const both = (): Test<T> => {
    const tests = [single()]
    while (tokens[at] === 'AND') {
      at += 1
      tests.push(single())
    }
    return (record) => tests.every((test) => test(record))
  }
  const either = (): Test<T> => {
    const tests = [both()]
    while (tokens[at] === 'OR') {
      at += 1
      tests.push(both())
    }
    return (record) => tests.some((test) => test(record))
  }
  const whole = either()
  return at === tokens.length ? whole : wrongQuery()
}

/** Texts are compared without case, and times by their day. */
function compare(value: unknown, wanted: string, sign: string, isWord: boolean): boolean {
  if (Array.isArray(value)) {
    const isEmpty = isWord && wanted === 'null' && value.length === 0
    return isEmpty || value.some((one) => compare(one, wanted, sign, isWord))
  }
  if (isWord && wanted === 'null') return value === null || value === undefined
  if (value === null || value === undefined) return false
  if (sign !== '') {
    const [one, other] = typeof value === 'number' ? [value, Number(wanted)] : [String(value).slice(0, 10), wanted]
    return sign === '>' ? one >= other : one <= other
  }
  const text = /^\d{4}-\d\d-\d\dT/.test(String(value)) ? String(value).slice(0, 10) : String(value)
  return text.toLowerCase() === wanted.toLowerCase()
}

/** Thirty results per page and ten pages, from an index that is some minutes old. */
function search<T extends Kept>(
  { query }: TwinRequest,
  store: Store<T>,
  { fieldOf, isShown, present }: { fieldOf: FieldOf<T>; isShown: Test<T>; present(record: T): unknown },
): TwinAnswer {
  const text = query.get('query') ?? ''
  const page = numberOf(query.get('page'), { otherwise: 1 })
  if (page < 1 || page > 10)
    refuse(400, {
      description: 'Validation failed',
      errors: [
        { field: 'page', message: 'It should be a Positive Integer less than or equal to 10', code: 'invalid_value' },
      ],
    })
  if (!/^".*"$/s.test(text)) invalid('query', 'The query should be enclosed between double quotes')
  if (text.length > 512 + 2) invalid('query', 'It should not have more than 512 characters')
  const test = parseQuery(text.slice(1, -1), fieldOf)
  const results = store.search((record) => isShown(record) && test(record))
  return answer(200, { total: results.length, results: results.slice((page - 1) * 30, page * 30).map(present) })
}

/** Single lines, numbers, checkboxes and choices among the custom fields can be searched. */
function customOf(account: Account, of: 'ticket' | 'contact' | 'company', name: string) {
  const types = ['custom_text', 'custom_number', 'custom_checkbox', 'custom_dropdown', 'custom_date']
  const isKnown = fieldsOf(account, of).some((field) => field.name === name && types.includes(field.type))
  return isKnown ? (record: { custom_fields: Record<string, unknown> }) => record.custom_fields[name] : undefined
}

export function searchOperations(account: Account): Operation[] {
  const { tickets, contacts, companies } = account
  const plain =
    <T>(...names: (keyof T & string)[]) =>
    (field: string) =>
      names.includes(field as keyof T & string) ? (record: T) => record[field as keyof T] : undefined
  const ofTicket = plain<Ticket>(
    'group_id',
    'priority',
    'status',
    'type',
    'due_by',
    'fr_due_by',
    'created_at',
    'updated_at',
  )
  const ofContact = plain<Contact>(
    'active',
    'company_id',
    'twitter_id',
    'email',
    'phone',
    'mobile',
    'language',
    'time_zone',
    'created_at',
    'updated_at',
  )
  const ofCompany = plain<Company>('created_at', 'updated_at')
  const ticketValue: FieldOf<Ticket> = (field) => {
    if (field === 'tag') return ({ tags }) => tags
    if (field === 'agent_id') return ({ responder_id }) => responder_id
    return ofTicket(field) ?? customOf(account, 'ticket', field)
  }
  return [
    {
      ...shapes.searchTickets,
      act: (request) =>
        search(request, tickets, {
          fieldOf: ticketValue,
          isShown: ({ isArchived, deletedAt, spam }) => !isArchived && deletedAt === null && !spam,
          present: (ticket) => ({ ...presentListed(account, ticket, ['description']), tags: ticket.tags }),
        }),
    },
    {
      ...shapes.searchContacts,
      act: (request) =>
        search(request, contacts, {
          fieldOf: (field) =>
            field === 'tag' ? ({ tags }) => tags : (ofContact(field) ?? customOf(account, 'contact', field)),
          isShown: ({ isDeleted }) => !isDeleted,
          present: (contact) => presentContact(account, contact),
        }),
    },
    {
      ...shapes.searchCompanies,
      act: (request) =>
        search(request, companies, {
          fieldOf: (field) =>
            field === 'domain' ? ({ domains }) => domains : (ofCompany(field) ?? customOf(account, 'company', field)),
          isShown: () => true,
          present: (company) => presentCompany(account, company),
        }),
    },
  ]
}
