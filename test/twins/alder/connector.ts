import type { Account, Connector } from '../../../service/src/connectors/contract/contract.ts'
import {
  type Entity,
  kit,
  type Lens,
  type RawRecord,
  type WrittenEntity,
} from '../../../service/src/connectors/kit/index.ts'

const { Type, is } = kit

export type AlderFamily = 'crm' | 'project'

/** Alder, a fictional tool whose fields use every lens of the kit. */
const lenses: Record<AlderFamily, Record<string, Record<string, Lens>>> = {
  crm: {
    tags: { name: is.text('label') },
    accounts: {
      name: is.text('label', { max: 200 }),
      emails: is.emails('mails'),
      phones: is.phones('numbers'),
      websites: kit.asList(is.url('site')),
      addresses: kit.asList(is.address('place', { line1: 'street', city: 'town', country: 'land' })),
      tags: is.references('tag_ids', 'tags'),
      is_archived: is.flag('archived'),
      description: is.longText('about'),
      employees: is.integer('staff'),
      annual_revenue: is.money('revenue', 'EUR'),
      parent_account: is.reference('parent_id', 'accounts'),
      owner: is.person('owner_id'),
    },
    contacts: {
      name: is.text('label'),
      emails: kit.asList(is.email('mail')),
      phones: kit.asList(is.phone('mobile')),
      birthday: is.dayOf('born_on'),
      accounts: is.references('account_ids', 'accounts'),
      do_not_contact: is.flag('may_contact', { isInverse: true }),
    },
    deals: {
      name: is.text('label'),
      value: is.money('worth', { from: 'worth_in' }),
      status: is.option('state', { O: 'open', W: 'won', L: 'lost' }),
      closed_at: is.moment('ended', { isWholeSecond: true }),
      account: is.reference('account_id', 'accounts'),
    },
    notes: {
      related: is.reference('account_id', 'accounts'),
      body: is.richText('html', 'html'),
      author: is.person('author_id'),
    },
  },
  project: {
    projects: { name: is.text('label'), homepage: is.url('site'), members: is.people('member_ids') },
    issues: {
      key: is.numberText('number'),
      title: is.text('label'),
      project: is.reference('project_id', 'projects'),
      labels: is.texts('words'),
      estimate_hours: is.decimal('hours'),
    },
  },
}

/** A deliberate fault in one lens, to see whether a suite notices it. */
export type Damage = 'undeclared' | 'unsent' | 'uncompared' | 'half sent'

function damaged(lens: Lens, damage: Damage): Lens | null {
  if (damage === 'undeclared') return null
  if (damage === 'half sent') return { ...lens, writesAlso: () => ({}) }
  return damage === 'unsent' ? { ...lens, write: () => null } : { ...lens, stored: () => null }
}

/** Every lens, as `entity.field`, and the faults that can be made in it. */
export const lensesOfAlder = Object.entries(lenses).flatMap(([family, entities]) =>
  Object.entries(entities).flatMap(([entity, fields]) =>
    Object.entries(fields).map(([field, { write, writesAlso }]) => {
      const damages: Damage[] = ['undeclared']
      if (write) damages.push('unsent', 'uncompared')
      if (writesAlso) damages.push('half sent')
      return { family: family as AlderFamily, entity, field, damages }
    }),
  ),
)

export function alder(family: AlderFamily, broken?: { entity: string; field: string; damage: Damage }): Connector {
  const entities = Object.entries(lenses[family]).map(([name, fields]) => {
    const left = Object.entries(fields).flatMap(([field, lens]): [string, Lens][] => {
      const isBroken = broken?.entity === name && broken.field === field
      const kept = isBroken ? damaged(lens, broken.damage) : lens
      return kept ? [[field, kept]] : []
    })
    const stamps = { createdAt: is.moment('made'), updatedAt: is.moment('changed') }
    return kit.defineEntity(family, name, { ...stamps, fields: Object.fromEntries(left) })
  })
  const connect = (account: Account) => {
    const http = kit.openHttp(account, {
      label: 'Alder',
      base: (access) => `${kit.instance(access)}/api`,
      signIn: kit.bearer,
      answers: { 422: 'refused' },
      reason: (json) => ({ code: 'invalid', message: (json as { error?: unknown }).error }),
    })
    return { http, list: kit.cursorList(http, { items: 'items', next: 'next', size: 'size', after: 'after' }) }
  }
  const checkAccount = (account: Account) =>
    kit.checkAccess('Alder does not accept this key.', () =>
      connect(account).http.get('/me', Type.Object({ name: Type.String() })),
    )
  const staff = async (account: Account, cursor: string | null) => {
    const { items, next } = await connect(account).list('/staff', {})(cursor, 100)
    return {
      items: items.map(({ id, name }) => ({ id: String(id), name: String(name), email: null, isActive: true })),
      next,
    }
  }
  return {
    tool: 'alder',
    label: 'Alder',
    families: [family],
    movesBetweenInstances: false,
    source: {
      requires: ['instanceUrl', 'token'],
      checkAccount,
      open(account) {
        const { list, http } = connect(account)
        const lists = entities.map((entity) =>
          kit.listed(
            entity,
            ({ since, ids }) => list(`/${entity.name}`, { since, ids }),
            kit.alone,
            entity.name === 'notes' ? { accounts: (id: string) => list('/notes', { account_id: id }) } : {},
          ),
        )
        return {
          ...kit.readLists('Alder', lists, 5, kit.isNumberId),
          count: async () => Object.fromEntries(entities.map(({ name }) => [name, null])),
          users: (cursor) => staff(account, cursor),
          findGone: (entity, ids) => kit.findMissing(http, ids.filter(kit.isNumberId), (id) => `/${entity}/${id}`),
          openFile: async () => {
            throw new kit.FileMissingError('Alder has no files')
          },
        }
      },
    },
    destination: {
      requires: ['instanceUrl', 'token'],
      checkAccount,
      open(account) {
        const { http, list } = connect(account)
        const { accepted } = kit.refusalsOf('Alder')
        const toEntity = (declared: Entity): WrittenEntity => {
          const path = `/${declared.name}`
          const about = (raw: RawRecord) => ({ url: null, version: String(raw.rev) })
          return {
            declared,
            offer: { required: ['name', 'title', 'related', 'project'].filter((field) => field in declared.fields) },
            write: (records) =>
              kit.writeEach(records, async (record) => {
                const { key, destinationId } = record
                const json = { ...kit.writeRecord(declared, record), key }
                const sent = await (destinationId === null
                  ? http.send('POST', path, { json })
                  : http.send('PUT', `${path}/${destinationId}`, { json }))
                const raw = accepted(sent) as RawRecord
                return kit.written(key, raw.id, about(raw))
              }),
            look: () => ({
              byIds: kit.eachById(async (id) => {
                const { status, json } = await http.look(`${path}/${id}`, [404])
                return status === 404 ? null : (json as RawRecord)
              }),
              key: kit.externalIdKey('key', ([sought]) => kit.readAll(list(path, { key: sought?.key }), 5)),
              toFound: (raw) => ({ ...kit.toStored('Alder', declared, raw), ...about(raw) }),
              remove: (id) => http.send('DELETE', `${path}/${id}`),
            }),
          }
        }
        return kit.openWriter('Alder', {
          describe: async () => ({
            account: await checkAccount(account),
            textFormat: 'html',
            maxFileBytes: null,
            capabilities: {
              deliveryClass: 'C',
              delete: true,
              silentCreate: true,
              backdate: true,
              createField: false,
              batchSize: 5,
              concurrency: 1,
              settleMs: 0,
            },
          }),
          entities: async () => Object.fromEntries(entities.map((entity) => [entity.name, toEntity(entity)])),
          users: (cursor) => staff(account, cursor),
        })
      },
    },
  }
}
