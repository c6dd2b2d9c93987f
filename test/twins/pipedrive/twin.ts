import type { Family } from '../../../service/src/families/index.ts'
import type { Twin } from '../../connectors/twin-contract.ts'
import { type Clock, createClock, dayMs } from '../clock.ts'
import type { Store } from '../store.ts'
import { startToolTwin } from '../tool-twin.ts'
import { isLive, type Thing } from './account.ts'
import { optionsOf } from './catalog.ts'
import { type PipedriveRules, pipedriveRules } from './rules.ts'
import { seedCompany, seedCrm } from './seed.ts'

const token = '0123456789abcdef0123456789abcdef01234567'

/** A Pipedrive account that has only its people and one pipeline. */
export async function startPipedriveTwin(options: Omit<PipedriveRules, 'token'> = {}, clock: Clock = createClock()) {
  const { rules, account, oauth, limitState } = pipedriveRules(clock, { ...options, token })
  const twin = await startToolTwin(() => rules, clock)
  account.origin = twin.url
  const users = seedCompany(account)
  return { ...twin, account, oauth, limitState, users, access: { instanceUrl: twin.url, token } }
}

export type PipedriveTwin = Awaited<ReturnType<typeof startPipedriveTwin>>

/** Fields that can be read and written. */
const fieldsOf: Record<string, readonly string[]> = {
  tags: ['name'],
  pipelines: ['name'],
  stages: ['pipeline', 'name', 'probability'],
  accounts: ['name', 'addresses', 'websites', 'employees', 'is_private', 'tags', 'owner'],
  contacts: [
    'name',
    'emails',
    'phones',
    'addresses',
    'title',
    'birthday',
    'description',
    'is_private',
    'accounts',
    'tags',
    'owner',
  ],
  deals: [
    'name',
    'value',
    'pipeline',
    'stage',
    'status',
    'probability',
    'expected_close_on',
    'closed_at',
    'lost_reason',
    'account',
    'contacts',
    'owner',
    'is_private',
  ],
  activities: ['related', 'type', 'subject', 'body', 'status', 'started_at', 'ended_at', 'due_at', 'owner'],
  notes: ['related', 'body', 'author'],
  attachments: ['parent', 'file_name'],
}
const readOnly: Record<string, readonly string[]> = {
  pipelines: ['position'],
  stages: ['position'],
  accounts: ['industry'],
  contacts: ['first_name', 'last_name', 'do_not_contact'],
  attachments: ['size', 'is_inline', 'uploaded_by'],
}

const visibility = "A record for all gets the account's own setting, so the stored one is not compared."

export async function startTwin(): Promise<Twin> {
  const family: Family = 'crm'
  const clock = createClock({ startsAt: new Date(Date.now() - dayMs).toISOString() })
  const { account, users, access, ...twin } = await startPipedriveTwin({}, clock)
  seedCrm(account, users)
  clock.advance(Math.max(0, Date.now() - clock.now()))
  const entities = Object.keys(fieldsOf)
  const read = entities.map((name) => [name, [...(fieldsOf[name] ?? []), ...(readOnly[name] ?? [])]] as const)
  const missing = '9999999'
  const storeOf: Record<string, Store<Thing>> = {
    accounts: account.organizations,
    contacts: account.persons,
    deals: account.deals,
    activities: account.activities,
    pipelines: account.pipelines,
    stages: account.stages,
    notes: account.notes,
    attachments: account.files as unknown as Store<Thing>,
  }
  const stores = Object.values(storeOf)
  const count = (store: Store<Thing>) => store.list(isLive).length
  return {
    access,
    source: {
      family,
      entities,
      fields: Object.fromEntries(read),
      missing: {
        accounts: missing,
        contacts: missing,
        deals: missing,
        activities: missing,
        notes: missing,
        attachments: missing,
      },
    },
    destination: {
      family,
      fields: { ...fieldsOf, attachments: ['parent', 'file_name', 'description'] },
      // The owner of the key is left out, because records without an owner belong to that person.
      users: [String(users.otto.id), String(users.mia.id)],
      async editByHand(entity, destinationId) {
        const ids: readonly string[] = destinationId.match(/\d+/g) ?? []
        if (entity === 'tags')
          for (const kind of ['organizations', 'persons'] as const)
            for (const option of optionsOf(account, kind, 'label_ids'))
              if (ids.includes(String(option.id))) option.label = 'Mine now'
        const store = storeOf[entity]
        const known = store?.get(ids.at(-1) ?? '')
        if (!store || !known) return
        const [name = 'name'] = ['content', 'subject', 'title'].filter((one) => known.body[one] !== undefined)
        store.change(known.id, { body: { ...known.body, [name]: 'Mine now', update_time: account.now() } })
      },
      async countAll() {
        const labels =
          optionsOf(account, 'organizations', 'label_ids').length + optionsOf(account, 'persons', 'label_ids').length
        return stores.reduce((sum, store) => sum + count(store), labels)
      },
      readFile: async (_entity, destinationId) =>
        (destinationId.match(/\d+/g) ?? []).flatMap((id) => account.files.get(id)?.bytes ?? []).at(-1) ??
        Buffer.from('none'),
      indifferent: {
        'activities.due_at': 'An activity has one time and a duration.',
        'activities.started_at': 'An activity has one time and a duration.',
        'activities.ended_at': 'An activity has one time and a duration.',
        'activities.type': 'An activity without one is a task.',
        'activities.status': 'An activity without one is planned.',
        'accounts.is_private': visibility,
        'contacts.is_private': visibility,
        'deals.is_private': visibility,
        'deals.status': 'A deal without one is open.',
        'deals.pipeline': 'A deal is in the pipeline of its stage.',
        'deals.stage': 'A deal without one is in the first stage.',
        'deals.closed_at': 'Only a deal that is won or lost has it.',
        'deals.lost_reason': 'Only a deal that is lost has it.',
        'attachments.is_inline': 'A file is never marked.',
        'attachments.is_private': 'Nobody outside sees a file.',
      },
      chooseValue(entity, field, seed) {
        if (field === 'value') return { amount: `${100 + seed}.5`, currency: ['EUR', 'USD'][seed % 2] }
        // The stage determines the pipeline.
        if (entity === 'deals' && field === 'pipeline') return null
        return undefined
      },
    },
    expectNoViolations: () => twin.expectNoViolations(),
    close: () => twin.close(),
  }
}
