import type { AccountAccess } from '../../service/src/connectors/contract/contract.ts'

/**
 * A client that talks to Tryton as its own clients do. It shares no code with the connector, so that one can check the
 * other.
 */
export interface TrytonClient {
  call<T>(model: string, method: string, ...params: unknown[]): Promise<T>
  create(model: string, ...values: Record<string, unknown>[]): Promise<number[]>
  read<T>(model: string, domain: unknown[], fields: string[]): Promise<T[]>
}

export async function signIn({ instanceUrl, username, token }: AccountAccess): Promise<TrytonClient> {
  let session = ''
  let context: Record<string, unknown> = {}
  const post = async (method: string, params: unknown[]): Promise<unknown> => {
    const answer = await fetch(`${instanceUrl}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(session === '' ? {} : { authorization: session }) },
      body: JSON.stringify({ id: 1, method, params }),
    })
    if (!answer.ok) throw new Error(`${method} answered ${answer.status}`)
    const { result, error } = (await answer.json()) as { result?: unknown; error?: unknown }
    if (error) throw new Error(`${method}: ${JSON.stringify(error).slice(0, 500)}`)
    return result
  }
  const [userId, key] = (await post('common.db.login', [username, { password: token }, 'en'])) as [number, string]
  session = `Session ${Buffer.from(`${username}:${userId}:${key}`).toString('base64')}`
  const preferences = (await post('model.res.user.get_preferences', [true, {}])) as Record<string, unknown>
  context = { ...preferences, active_test: false }
  const call = async <T>(model: string, method: string, ...params: unknown[]): Promise<T> =>
    (await post(`model.${model}.${method}`, [...params, context])) as T
  return {
    call,
    create: (model, ...values) => call(model, 'create', values),
    read: (model, domain, fields) => call(model, 'search_read', domain, 0, null, [['id', 'ASC']], fields),
  }
}

export const wireDate = (year: number, month: number, day: number) => ({ __class__: 'date', year, month, day })
export const wireDecimal = (decimal: string) => ({ __class__: 'Decimal', decimal })
export const wireBytes = (bytes: Buffer) => ({ __class__: 'bytes', base64: bytes.toString('base64') })

export const oddText =
  '<b>bold</b> & "quoted" *stern* _unter_ h1. [link](https://x.example) 👩‍🚀 שלום عربى 𝒳 日本\n\n  indented\ttab\r\nend'

interface Prepared {
  tryton: TrytonClient
  company: number
  ada: number
  ben: number
}

/** Creates a company with two employees and one country. Does nothing the second time. */
export async function prepareTryton(access: AccountAccess): Promise<Prepared> {
  const tryton = await signIn(access)
  const [there] = await tryton.read<{ id: number }>('company.company', [['party.code', '=', 'OWN']], ['party'])
  if (!there) {
    const currencies = await makeCurrencies(tryton)
    const [germany] = await tryton.create('country.country', { code: 'DE', code3: 'DEU', name: 'Germany' })
    await tryton.create('country.subdivision', { country: germany, code: 'DE-BY', name: 'Bayern', type: 'land' })
    const [own = 0] = await tryton.create('party.party', { code: 'OWN', name: 'Werft' })
    const [company = 0] = await tryton.create('company.company', { party: own, currency: currencies.EUR })
    const [me] = await tryton.read<{ id: number }>('res.user', [['login', '=', access.username]], ['login'])
    await tryton.call('res.user', 'write', [me?.id], { companies: [['add', [company]]], company })
    const person = (code: string, name: string, email: string) => ({
      code,
      name,
      contact_mechanisms: [['create', [{ type: 'email', value: email }]]],
    })
    const [ada, ben] = await tryton.create(
      'party.party',
      person('E-1', 'Ada Lind', 'ada@werft.example'),
      person('E-2', 'Ben Ode', 'ben@werft.example'),
    )
    await tryton.create(
      'company.employee',
      { party: ada, company },
      { party: ben, company, end_date: wireDate(2020, 1, 31) },
    )
    return prepareTryton(access)
  }
  const employees = await tryton.read<{ id: number }>('company.employee', [['company', '=', there.id]], ['party'])
  return { tryton, company: there.id, ada: employees[0]?.id ?? 0, ben: employees[1]?.id ?? 0 }
}

/** Fills a small account with records of every kind, many of them odd. Does nothing the second time. */
export async function seedTryton(access: AccountAccess): Promise<void> {
  const { tryton, company, ada, ben } = await prepareTryton(access)
  if ((await tryton.read('party.party', [['code', '=', 'S-01']], ['code'])).length > 0) return
  const [japan = 0] = await tryton.create('country.country', { code: 'JP', code3: 'JPN', name: 'Japan' })
  const [bayern] = await tryton.read<{ id: number; country: number }>('country.subdivision', [], ['country'])
  const [germany, bavaria] = [bayern?.country ?? 0, bayern?.id ?? 0]
  const [customers = 0] = await tryton.create('party.category', { name: 'Customers' })
  const [vip = 0, hidden = 0] = await tryton.create(
    'party.category',
    { name: 'VIP 🚀', parent: customers },
    { name: 'Old & gone', active: false },
  )
  const types = await makeTypes(tryton)
  const parties = await makeParties(tryton, { germany, japan, bavaria, customers, vip, hidden })
  const at = (code: string) => parties.get(code) ?? 0
  await tryton.create(
    'party.relation.all',
    { from_: at('S-02'), to: at('S-01'), type: types.worksFor },
    // This relation is stored from the other side.
    { from_: at('S-01'), to: at('S-03'), type: types.employs },
    { from_: at('S-04'), to: at('S-01'), type: types.subsidiary },
    { from_: at('S-02'), to: at('S-03'), type: types.knows },
  )
  await makeDeals(tryton, { company, adaEmployee: ada, benEmployee: ben, parties })
  await makeNotesAndFiles(tryton, access, parties)
}

async function makeCurrencies(tryton: TrytonClient): Promise<{ EUR: number }> {
  const rounding = wireDecimal('0.01')
  const [EUR = 0] = await tryton.create(
    'currency.currency',
    { code: 'EUR', name: 'Euro', symbol: '€', digits: 2, rounding },
    { code: 'USD', name: 'US Dollar', symbol: '$', digits: 2, rounding },
  )
  return { EUR }
}

async function makeTypes(tryton: TrytonClient) {
  const pair = async (name: string, reverseName: string) => {
    const [id = 0] = await tryton.create('party.relation.type', { name })
    const [reverse = 0] = await tryton.create('party.relation.type', { name: reverseName, reverse: id })
    await tryton.call('party.relation.type', 'write', [id], { reverse })
    return { id, reverse }
  }
  const work = await pair('ist angestellt bei', 'beschäftigt')
  const part = await pair('subsidiary of', 'parent company of')
  const [knows = 0] = await tryton.create('party.relation.type', { name: 'knows of' })
  return { worksFor: work.id, employs: work.reverse, subsidiary: part.id, knows }
}

async function makeParties(
  tryton: TrytonClient,
  known: { germany: number; japan: number; bavaria: number; customers: number; vip: number; hidden: number },
): Promise<Map<string, number>> {
  const { germany, japan, bavaria, customers, vip, hidden } = known
  const [german] = await tryton.read<{ id: number }>('ir.lang', [['code', '=', 'de']], ['code'])
  const create = (...values: unknown[]) => [['create', values]]
  const odd: Record<string, unknown>[] = [
    {
      code: 'S-01',
      name: 'Brücke & Söhne',
      lang: german?.id,
      categories: [['add', [customers, vip]]],
      addresses: create(
        {
          street: 'Große Straße 1\n2. Etage',
          postal_code: '80331',
          city: 'München',
          country: germany,
          subdivision: bavaria,
          invoice: true,
        },
        { party_name: 'Söhne', name: 'Haus B', street: 'Hafen 2', city: 'Köln', country: germany, delivery: true },
        { city: 'Nirgendwo', active: false },
      ),
      contact_mechanisms: create(
        { type: 'email', value: 'info@bruecke.example', name: 'Büro' },
        { type: 'email', value: 'zweite@bruecke.example', comment: 'nur | montags \\ vormittags' },
        { type: 'phone', value: '+49 221 1002003' },
        { type: 'fax', value: '+49 221 1002004', name: 'Lager' },
        { type: 'website', value: 'https://bruecke.example/ü' },
        { type: 'skype', value: 'bruecke.soehne' },
        { type: 'email', value: 'alt@bruecke.example', active: false },
      ),
      identifiers: create({ type: 'eu_vat', code: 'BE0897290877' }, { type: null, code: 'KD-1' }),
    },
    { code: 'S-02', name: 'Zoë O’Neill', contact_mechanisms: create({ type: 'mobile', value: '+49 1511 2345678' }) },
    { code: 'S-03', name: 'Smith', addresses: create({ city: '東京', country: japan }) },
    { code: 'S-04', name: 'Nordlicht AS', categories: [['add', [hidden]]], active: false },
    { code: 'S-05', name: null },
    { code: 'S-06', name: '  spaces  <script>alert(1)</script> שלום 👩‍🚀 ' },
    { code: 'S-07', name: 'x'.repeat(3_000) },
    { code: 'S-08', name: 'Smith' },
    { code: 'S-09', name: '田中製作所株式会社' },
    { code: 'S-10', name: 'Person with a number', identifiers: create({ type: 'es_dni', code: '54362315K' }) },
  ]
  const more = Array.from({ length: 22 }, (_, index) => ({ code: `T-${index + 1}`, name: `Party ${index + 1}` }))
  const all = [...odd, ...more]
  const ids = await tryton.create('party.party', ...all)
  return new Map(all.map(({ code }, index) => [String(code), ids[index] ?? 0]))
}

async function makeDeals(
  tryton: TrytonClient,
  known: { company: number; adaEmployee: number; benEmployee: number; parties: Map<string, number> },
): Promise<void> {
  const { company, adaEmployee, benEmployee, parties } = known
  const [mobile] = await tryton.read<{ id: number }>('party.contact_mechanism', [['type', '=', 'mobile']], ['value'])
  const full = { company, party: parties.get('S-01'), employee: adaEmployee }
  await tryton.create(
    'sale.opportunity',
    {
      ...full,
      state: 'opportunity',
      description: 'Crane 👩‍🚀',
      amount: wireDecimal('12345.67'),
      reference: 'R-1',
      contact: mobile?.id,
      comment: oddText,
    },
    {
      ...full,
      state: 'won',
      description: 'Keel',
      amount: wireDecimal('0'),
      conversion_probability: 1,
      end_date: wireDate(1965, 2, 3),
    },
    {
      ...full,
      state: 'lost',
      description: 'Mast',
      lost_reason: 'Preis – „leider“',
      end_date: wireDate(2024, 2, 29),
      employee: benEmployee,
    },
    { ...full, state: 'converted', description: 'Sail', party: parties.get('S-02') },
    { company, state: 'lead', description: 'Nobody’s', start_date: wireDate(1969, 12, 31), employee: null },
    { company, state: 'cancelled', description: null, number: 'N-77', employee: null },
  )
}

async function makeNotesAndFiles(
  tryton: TrytonClient,
  access: AccountAccess,
  parties: Map<string, number>,
): Promise<void> {
  const groups = await tryton.read<{ id: number }>('res.group', [], ['name'])
  const [gone = 0] = await tryton.create('res.user', {
    login: 'gone',
    name: 'Gone Gwen',
    email: 'gwen@werft.example',
    password: 'Wq7-xk2:Lp9_vd4',
    groups: [['add', groups.map(({ id }) => id)]],
  })
  const gwen = await signIn({ ...access, username: 'gone', token: 'Wq7-xk2:Lp9_vd4' })
  const on = (code: string) => `party.party,${parties.get(code)}`
  const [deal] = await tryton.read<{ id: number }>('sale.opportunity', [['description', '=', 'Keel']], ['number'])
  await gwen.create('ir.note', { resource: on('S-01'), message: oddText }, { resource: on('S-02'), message: null })
  await tryton.call('res.user', 'write', [gone], { active: false })
  await tryton.create(
    'ir.note',
    { resource: `sale.opportunity,${deal?.id}`, message: 'Keel laid' },
    ...Array.from({ length: 30 }, (_, index) => ({ resource: on('S-03'), message: `Call ${index + 1}` })),
  )
  const every = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256))
  await tryton.create(
    'ir.attachment',
    { resource: on('S-01'), name: 'zero ü.bin', type: 'data', data: wireBytes(Buffer.alloc(0)) },
    {
      resource: on('S-01'),
      name: '../a/b\\c:"*?.txt',
      type: 'data',
      data: wireBytes(Buffer.from('h')),
      description: 'with words',
    },
    { resource: `sale.opportunity,${deal?.id}`, name: 'ship 👩‍🚀.png', type: 'data', data: wireBytes(every) },
    { resource: on('S-02'), name: 'page', type: 'link', link: 'https://x.example/?a=1&b=2' },
  )
  // Records whose parent was deleted.
  const [lost = 0] = await tryton.create('party.party', { code: 'LOST', name: 'Lost' })
  await tryton.create('ir.note', { resource: `party.party,${lost}`, message: 'orphan' })
  await tryton.call('party.party', 'delete', [lost])
}
