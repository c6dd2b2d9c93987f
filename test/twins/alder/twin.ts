import { Type } from 'typebox'
import type { Twin } from '../../connectors/twin-contract.ts'
import { answer, refuse } from '../answers.ts'
import { createClock } from '../clock.ts'
import { cursorPage, numberOf } from '../pages.ts'
import { createStore } from '../store.ts'
import { type Operation, startToolTwin } from '../tool-twin.ts'
import type { AlderFamily } from './connector.ts'

interface Row {
  id: string
  kind: string
  rev: number
  body: Record<string, unknown>
}

/** The columns of each table, and the family's fields in them. */
const tables: Record<AlderFamily, Record<string, Record<string, string | null>>> = {
  crm: {
    tags: { label: 'name' },
    accounts: {
      label: 'name',
      mails: 'emails',
      numbers: 'phones',
      site: 'websites',
      place: 'addresses',
      tag_ids: 'tags',
      archived: 'is_archived',
      about: 'description',
      staff: 'employees',
      revenue: 'annual_revenue',
      parent_id: 'parent_account',
      owner_id: 'owner',
    },
    contacts: {
      label: 'name',
      mail: 'emails',
      mobile: 'phones',
      born_on: 'birthday',
      account_ids: 'accounts',
      may_contact: 'do_not_contact',
    },
    deals: {
      label: 'name',
      worth: 'value',
      worth_in: null,
      state: 'status',
      ended: 'closed_at',
      account_id: 'account',
    },
    notes: { account_id: 'related', html: 'body', author_id: 'author' },
  },
  project: {
    projects: { label: 'name', site: 'homepage', member_ids: 'members' },
    issues: { label: 'title', project_id: 'project', words: 'labels', hours: 'estimate_hours' },
  },
}
const stamps = ['made', 'changed', 'key']
/** Columns that Alder numbers by itself. */
const counted: Record<string, string[]> = { issues: ['key'] }

export const skips = {
  'files arrive byte for byte, whatever their size and name': 'Alder has no files',
  'a file that breaks off leaves nothing': 'Alder has no files',
}

export async function startTwin(family: AlderFamily): Promise<Twin> {
  const columnsOf = tables[family]
  const fieldsOf = Object.fromEntries(
    Object.entries(columnsOf).map(([kind, columns]) => [kind, Object.values(columns).filter((name) => name !== null)]),
  )
  const clock = createClock()
  const rows = createStore<Row>(clock)
  const put = (kind: string, body: Record<string, unknown>, known?: Row): Row => {
    const blank = Object.fromEntries([...Object.keys(columnsOf[kind] ?? {}), ...stamps].map((name) => [name, null]))
    const id = known?.id ?? rows.nextId()
    const now = new Date(clock.now()).toISOString()
    const merged = { ...blank, made: now, changed: now, ...known?.body, ...body }
    return rows.put({ id, kind, rev: (known?.rev ?? 0) + 1, body: merged })
  }
  const present = ({ id, rev, body }: Row) => ({ id: Number(id), number: 1_000 + Number(id), rev, ...body })
  const find = (kind: string, id = ''): Row => {
    const found = rows.get(id)
    return found?.kind === kind ? found : refuse(404, { error: 'not found' })
  }
  const operations = Object.entries(columnsOf).flatMap(([kind, columns]): Operation[] => {
    const names = [...Object.keys(columns), ...stamps]
    const json = Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Any())])), {
      additionalProperties: false,
    })
    const isWhole = (body: Record<string, unknown>) => kind === 'notes' || (body.label ?? '') !== ''
    return [
      {
        method: 'GET',
        path: `/api/${kind}`,
        query: { size: /\d+/, after: true, ids: /[\d,]+/, since: true, key: true, account_id: /\d+/ },
        act({ query }) {
          const ids = query.get('ids')?.split(',')
          const items = rows
            .list((row) => row.kind === kind)
            .filter(({ id }) => ids?.includes(id) ?? true)
            .filter(({ body }) => query.get('since') === null || String(body.changed) >= String(query.get('since')))
            .filter(({ body }) => query.get('key') === null || body.key === query.get('key'))
            .filter(({ body }) => [null, String(body.account_id)].includes(query.get('account_id')))
          const size = numberOf(query.get('size'), { otherwise: 5, most: 50 })
          const page = cursorPage(items, { after: query.get('after'), size, keyOf: ({ id }) => Number(id) })
          return answer(200, { items: page.items.map(present), next: page.next })
        },
      },
      { method: 'GET', path: `/api/${kind}/:id`, act: ({ params }) => answer(200, present(find(kind, params.id))) },
      {
        method: 'POST',
        path: `/api/${kind}`,
        json,
        act: ({ json: body }) =>
          isWhole(body) ? answer(201, present(put(kind, body))) : refuse(422, { error: 'label is missing' }),
      },
      {
        method: 'PUT',
        path: `/api/${kind}/:id`,
        json,
        act: ({ params, json: body }) => answer(200, present(put(kind, body, find(kind, params.id)))),
      },
      {
        method: 'DELETE',
        path: `/api/${kind}/:id`,
        act({ params }) {
          rows.remove(find(kind, params.id).id)
          return answer(204)
        },
      },
    ]
  })
  const staff = [
    { id: 1, name: 'Una' },
    { id: 2, name: 'Otto' },
  ]
  const twin = await startToolTwin(
    () => ({
      operations: [
        ...operations,
        { method: 'GET', path: '/api/me', act: () => answer(200, { name: 'An Alder account' }) },
        {
          method: 'GET',
          path: '/api/staff',
          query: { size: /\d+/, after: true },
          act: () => answer(200, { items: staff, next: null }),
        },
      ],
      admit: ({ headers }) => (headers.authorization === 'Bearer alder-key' ? null : answer(401, { error: 'who?' })),
    }),
    clock,
  )
  const seed = family === 'crm' ? seedCrm : seedProject
  seed((kind, body) => Number(put(kind, body).id))
  return {
    access: { instanceUrl: twin.url, token: 'alder-key' },
    source: {
      family,
      entities: Object.keys(columnsOf),
      fields: Object.fromEntries(
        Object.entries(fieldsOf).map(([kind, names]) => [kind, [...names, ...(counted[kind] ?? [])]]),
      ),
      missing: Object.fromEntries(Object.keys(columnsOf).map((kind) => [kind, '99999'])),
      withoutFiles: 'Alder has no files',
    },
    destination: {
      family,
      fields: fieldsOf,
      users: ['1', '2'],
      async editByHand(kind, id) {
        put(kind, { label: 'Mine now' }, find(kind, id))
      },
      countAll: async () => rows.size(),
      readFile: async () => Buffer.from('none'),
    },
    expectNoViolations: () => twin.expectNoViolations(),
    close: () => twin.close(),
  }
}

type Make = (kind: string, body: Record<string, unknown>) => number
const time = (day: number) => `2026-03-${String(day + 1).padStart(2, '0')}T10:00:00.000Z`
const stampedAt = (day: number) => ({ made: time(day), changed: time(day) })

/** Several pages of accounts, and a record with a value in every column. */
function seedCrm(make: Make): void {
  const tag = make('tags', { label: 'Old friends', ...stampedAt(0) })
  let parent: number | null = null
  for (let index = 0; index < 12; index += 1) {
    parent = make('accounts', {
      ...stampedAt(index),
      label: `Account ${index}`,
      mails: [`a${index}@alder.example`],
      numbers: ['+44 1632 960001'],
      site: 'https://alder.example',
      place: { street: '1 Quay Street', town: 'Cork', land: 'IE' },
      tag_ids: [tag],
      archived: index % 2 === 0,
      about: 'Long words',
      staff: index,
      revenue: '12.50',
      parent_id: parent,
      owner_id: 1,
    })
    make('notes', { ...stampedAt(index), account_id: parent, html: `<p>Note ${index}</p>`, author_id: 2 })
  }
  const reach = { mail: 'ada@alder.example', mobile: '+44 1632 960002' }
  const ada = { label: 'Ada', ...reach, born_on: '1990-02-28', account_ids: [parent], may_contact: true }
  make('contacts', { ...stampedAt(1), ...ada })
  const deal = { label: 'A deal', worth: '99.90', worth_in: 'CHF', state: 'W', ended: '2026-03-04T05:06:07Z' }
  make('deals', { ...stampedAt(1), ...deal, account_id: parent })
}

function seedProject(make: Make): void {
  const id = make('projects', { ...stampedAt(0), label: 'Mill', site: 'https://mill.example', member_ids: [1, 2] })
  for (let index = 0; index < 12; index += 1) {
    make('issues', { ...stampedAt(index), label: `Issue ${index}`, project_id: id, words: ['wet', 'dry'], hours: 1.5 })
  }
}
