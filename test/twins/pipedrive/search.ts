import type { TwinRequest } from '../answers.ts'
import { type Account, invalid, isLive, ok, type Thing } from './account.ts'
import { customFieldsOf } from './catalog.ts'
import { number, operation, type Priced, pageOf, paging, v2, yesNo } from './lists.ts'

const searchable = ['address', 'varchar', 'text', 'varchar_auto', 'double', 'monetary', 'phone']
const stores = { deal: 'deals', lead: 'leads', person: 'persons', organization: 'organizations' } as const
type Type = keyof typeof stores

const kindOf = (type: Type) => (type === 'lead' ? 'deals' : stores[type])
const textOf = (value: unknown): string =>
  String(typeof value === 'object' && value !== null ? (value as { value: unknown }).value : (value ?? ''))

/** The searched fields of a record, by the names in a request. */
function texts(account: Account, type: Type, { id, body, custom }: Thing): Record<string, string[]> {
  const fields = customFieldsOf(account, kindOf(type)).filter((field) => searchable.includes(field.type))
  const parent = { deal: 'deal_id', lead: 'lead_id', person: 'person_id', organization: 'org_id' }[type]
  const values = (list: { value: string }[] = []) => list.map(({ value }) => value)
  return {
    name: [String(body.name ?? '')],
    title: [String(body.title ?? '')],
    email: values(body.emails),
    phone: values(body.phones),
    address: body.address ? [textOf(body.address)] : [],
    custom_fields: fields.flatMap(({ code }) => (custom[code] ? [textOf(custom[code])] : [])),
    notes: account.notes
      .search((note) => isLive(note) && String(note.body[parent]) === id)
      .map(({ body: of }) => String(of.content)),
  }
}

const idOf = (type: Type, { id }: Thing) => (type === 'lead' ? id : Number(id))

function item(account: Account, type: Type, thing: Thing) {
  const { body } = thing
  const { custom_fields, notes, email, phone, address } = texts(account, type, thing)
  return {
    id: idOf(type, thing),
    type,
    ...(body.title === undefined ? { name: body.name } : { title: body.title }),
    owner: { id: body.owner_id },
    visible_to: body.visible_to,
    ...(type === 'deal' && { value: body.value, currency: body.currency, status: body.status }),
    ...(type === 'person' && { emails: email, phones: phone }),
    ...(type === 'organization' && { address: address?.[0] ?? null }),
    ...((type === 'deal' || type === 'lead') && { is_archived: body.is_archived }),
    custom_fields,
    notes,
  }
}

function checkTerm(term: string, isExact: boolean): void {
  if (term.length < (isExact ? 1 : 2)) invalid('term: Parameter term is too short')
}

/** Searches the lagging index; case does not matter. */
function searchAll(account: Account, types: readonly Type[], { query }: TwinRequest) {
  const term = query.get('term') ?? ''
  const isExact = query.get('exact_match') === 'true'
  checkTerm(term, isExact)
  const names = query.get('fields')?.split(',') ?? null
  const wanted = term.toLowerCase()
  const matches = (text: string) => (isExact ? text.toLowerCase() === wanted : text.toLowerCase().includes(wanted))
  const owner = query.get('organization_id')
  const found = types.flatMap((type) =>
    account[stores[type]]
      .search((thing) => isLive(thing) && (owner === null || String(thing.body.org_id) === owner))
      .filter((thing) =>
        Object.entries(texts(account, type, thing)).some(
          ([name, all]) => (names?.includes(name) ?? true) && all.some(matches),
        ),
      )
      .map((thing) => ({ type, thing })),
  )
  const page = pageOf(
    found.map(({ thing }) => thing),
    query,
  )
  const items = page.things.map((thing) => {
    const { type } = found.find((one) => one.thing === thing) ?? { type: types[0] ?? 'deal' }
    return { result_score: 0.5, item: item(account, type, thing) }
  })
  return ok({ items }, { next_cursor: page.next })
}

export function searchOperations(account: Account): Priced[] {
  const common = { term: true, fields: true, exact_match: yesNo, ...paging } as const
  const oneKind = (type: Type) =>
    operation(20, 'GET', `${v2}/${stores[type]}/search`, (request) => searchAll(account, [type], request), {
      query: { ...common, ...(type === 'person' && { organization_id: number }) },
    })
  return [
    oneKind('deal'),
    oneKind('person'),
    oneKind('organization'),
    oneKind('lead'),
    operation(
      20,
      'GET',
      `${v2}/itemSearch`,
      (request) => {
        const asked = request.query.get('item_types')?.split(',') as Type[] | undefined
        return searchAll(account, asked ?? (Object.keys(stores) as Type[]), request)
      },
      { query: { ...common, item_types: /(deal|lead|person|organization)(,(deal|lead|person|organization))*/ } },
    ),
    operation(
      20,
      'GET',
      `${v2}/itemSearch/field`,
      ({ query }) => {
        const [term, match] = [query.get('term') ?? '', query.get('match') ?? 'exact']
        const type = (query.get('entity_type') ?? invalid('entity_type: is required')) as Type
        const code = query.get('field') ?? invalid('field: is required')
        checkTerm(term, match === 'exact')
        const field = account.fields[kindOf(type)].find((one) => one.code === code && !one.isDeleted)
        if (!field || !searchable.includes(field.type)) invalid('field: this field cannot be searched')
        // Case matters in this search.
        const matches = (text: string) =>
          match === 'exact' ? text === term : match === 'beginning' ? text.startsWith(term) : text.includes(term)
        const found = account[stores[type]].search((thing) => {
          const value = field?.isCustom ? thing.custom[code] : thing.body[code]
          return isLive(thing) && value !== null && value !== undefined && matches(textOf(value))
        })
        const page = pageOf(found, query)
        const plain = (thing: Thing) => ({
          id: idOf(type, thing),
          ...(thing.body.title === undefined ? { name: thing.body.name } : { title: thing.body.title }),
        })
        const isPlain = account.settings.searchAnswers === 'plain'
        return ok(
          page.things.map((thing) => (isPlain ? plain(thing) : { result_score: 1, item: plain(thing) })),
          { next_cursor: page.next },
        )
      },
      {
        query: {
          term: true,
          entity_type: /deal|lead|person|organization/,
          match: /exact|beginning|middle/,
          field: true,
          ...paging,
        },
      },
    ),
  ]
}
