/** The customers and agents of Fernhill Garden Supplies. All addresses use reserved domains. */

export const GROUPS = [
  ['Orders & Delivery', 'Where is my parcel, what was in it, and who pays the carriage.'],
  ['Growing Advice', 'Plants, pests, soil and what to do in which month.'],
  ['Trade & Accounts', 'Nurseries, councils, schools: quotes, invoices, credit terms.'],
] as const

export interface AgentSeed {
  name: string
  email: string | null
  role: 'admin' | 'agent'
  groups: readonly number[]
  deleted?: true
}

export const AGENTS: readonly AgentSeed[] = [
  { name: 'Maeve Thornley', email: 'maeve@fernhill.example', role: 'admin', groups: [1, 2, 3] },
  { name: 'Tomasz Wierzba', email: 'tomasz@fernhill.example', role: 'agent', groups: [1] },
  { name: 'Priya Raman', email: 'priya@fernhill.example', role: 'agent', groups: [2] },
  { name: 'Owen Castell', email: 'owen@fernhill.example', role: 'agent', groups: [1, 3] },
  // An agent who left the company: still owner and author of tickets, but not in the list of agents.
  { name: 'Gwen Pargeter', email: null, role: 'agent', groups: [2], deleted: true },
  { name: 'Ines Duarte', email: 'ines@fernhill.example', role: 'agent', groups: [3] },
  { name: 'Björn Åkesson', email: 'bjorn@fernhill.example', role: 'agent', groups: [1, 2] },
  // An account for the shared screen at the counter: it has a name and no address.
  { name: 'Saturday counter', email: null, role: 'agent', groups: [1] },
  { name: 'Rosalind Okafor', email: 'rosalind@fernhill.example', role: 'admin', groups: [3] },
]

export const DELETED_AGENT_ID = AGENTS.findIndex((agent) => agent.deleted) + 1

export const ORGANIZATIONS = [
  [
    'Larkfield Allotment Society',
    'larkfield-allotments.example',
    '14 plots still share one account. Ask for the plot number.',
  ],
  [
    'Ashcombe Borough Council, Parks',
    'parks.ashcombe.example',
    'Purchase order number on every invoice, or it is sent back.',
  ],
  ['St Brannock Primary School', 'stbrannock.example', 'No deliveries between 8:30 and 9:15, the gate is locked.'],
  ['Hollins & Daughter Landscapes', 'hollinslandscapes.example', 'Trade terms, 30 days.'],
  ['The Walled Garden Café', 'walledgardencafe.example', ''],
  ['Pennywort Nurseries Ltd', 'pennywort.example', 'Buys plugs by the thousand in February and March.'],
  ['Moorgate Housing Co-operative', 'moorgate.example', 'Raised beds project, three sites.'],
  ['Kestrel Vale Vineyard', 'kestrelvale.example', ''],
  ['Société Horticole du Léman', 'horticole-leman.example', 'Writes in French and English. Customs papers needed.'],
  ['Grüner Daumen Versand GmbH', 'gruenerdaumen.example', 'Reseller. VAT id on file.'],
  ['Little Acorns Nursery School', 'littleacorns.example', ''],
  ['O’Hare & Sons “Greenhouses”', 'oharegreenhouses.example', 'Fitters for the Solstice range.'],
] as const

export const FIRST_NAMES = words(`
  Alice Bernard Chidi Daphne Edwin Fatima Gareth Hana Ivor Jocelyn Kwame Lydia Morag Nikhil Olive
  Piers Queenie Rafael Siobhán Tariq Ursula Vikram Winifred Yusuf Zofia Anneliese Bronwen Callum
  Delphine Ewan
`)

export const LAST_NAMES = words(`
  Abernathy Bassett Chaudhry Dunmore Ellwood Fairweather Grzegorczyk Hathersage Ingleby Jessop Kapoor
  Lindqvist Macaulay Nwosu O’Rourke Pemberton Quayle Rowntree Sutcliffe Trevithick Underhill Vasquez
  Wetherby Yilmaz Zamoyski Brocklehurst Müller Lefèvre Tanaka
`)

export interface ContactSeed {
  name: string
  emails: readonly string[]
  phones: readonly string[]
  organization: number | null
  language: string
  notes?: string
  createdAt?: string
}

/** Unusual contacts come first, so that their ids are known. */
export const SPECIAL_CONTACTS: readonly ContactSeed[] = [
  {
    name: 'Harold Winterbourne',
    emails: ['h.winterbourne@post.example'],
    phones: ['01632 960114'],
    organization: null,
    language: 'en',
    notes: 'Customer since the paper catalogue.',
    createdAt: '1997-03-21T10:15:00.000Z',
  },
  {
    name: 'Leila Haddad',
    emails: ['leila.haddad@bustan.example'],
    phones: ['+962 6 555 0142'],
    organization: null,
    language: 'ar',
  },
  { name: 'נועה ברק', emails: ['noa.barak@gan.example'], phones: [], organization: null, language: 'he' },
  {
    name: 'Constance Ellery',
    emails: ['constance@larkfield-allotments.example', 'connie.ellery@post.example'],
    phones: ['01632 960277', '07700 900461'],
    organization: 1,
    language: 'en',
    notes: 'Secretary of the society. Uses the second address at weekends.',
  },
  { name: 'John Smith', emails: ['john.smith@parks.ashcombe.example'], phones: [], organization: 2, language: 'en' },
  {
    name: 'John Smith',
    emails: ['jsmith1961@post.example'],
    phones: ['07700 900983'],
    organization: null,
    language: 'en',
  },
  { name: 'John Smith', emails: ['john@walledgardencafe.example'], phones: [], organization: 5, language: 'en' },
  {
    name: 'Robert <b>Bobby</b> O’Neill & "Sons"',
    emails: ['bobby@oharegreenhouses.example'],
    phones: [],
    organization: 12,
    language: 'en',
  },
  {
    name: 'Élodie Rochat',
    emails: ['elodie@horticole-leman.example'],
    phones: ['+41 21 555 01 88'],
    organization: 9,
    language: 'fr',
  },
  {
    name: 'Walk-in customer',
    emails: [],
    phones: [],
    organization: null,
    language: 'en',
    notes: 'For questions asked at the counter.',
  },
  { name: '山田 葵', emails: ['aoi.yamada@niwa.example'], phones: [], organization: null, language: 'ja' },
]

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
