import { randomBytes } from 'node:crypto'
import { answer, refuse, type TwinAnswer } from '../answers.ts'
import { type Clock, dayMs, toSecond } from '../clock.ts'
import { createStore, type Kept, type Store } from '../store.ts'
import { createFields, type Field } from './catalog.ts'

/** Kinds of records that have custom fields, and activities. */
export const kinds = ['organizations', 'persons', 'deals', 'activities'] as const
export type Kind = (typeof kinds)[number]

// biome-ignore lint/suspicious/noExplicitAny: what a record holds depends on its kind, and was checked when it came in
export type Body = Record<string, any>

export interface Thing extends Kept {
  /** All fields except the id, in the form of v2. */
  body: Body
  /** Custom values, by the code of the field. */
  custom: Record<string, unknown>
  /** The time of deletion in milliseconds; null if the record is not deleted. */
  deletedAt: number | null
}

export interface User {
  id: number
  name: string
  email: string
  isActive: boolean
  isAdmin: boolean
}

export interface StoredFile extends Thing {
  bytes: Buffer
  contentType: string
}

export interface PipedriveOptions {
  /** Time during which a search misses a change. */
  searchLagMs?: number
  /** If false, persons have no job title, birthday, notes or postal address, and writing one is refused. */
  contactSync?: boolean
  /** True if the account has Campaigns: then persons have a marketing status, on request. */
  campaigns?: boolean
  /** True if organizations have websites, industries, revenues and employees, as only some accounts do. */
  companyDetails?: boolean
  /** True if the caller may name another author of a note. */
  isAdmin?: boolean
  /** True if a deleted record can still be read by its id for 30 days. */
  showsDeleted?: boolean
  /** True if `is_deleted: false` restores a deleted deal. */
  restores?: boolean
  /** True if a custom field without a value is null; otherwise it is missing. */
  tellsEmpty?: boolean
  /** True if a note, an activity or a file changes `update_time` of its parent. */
  touchesParents?: boolean
  /** True if options of the field `label_ids` can be added, renamed and removed like those of a custom field. */
  labelsChange?: boolean
  /** True if invisible characters are removed from notes, as an editor may do. */
  stripsInvisible?: boolean
  /** True if times and durations of activities have seconds. */
  tellsSeconds?: boolean
  /**
   * The answer of a search by field: `{ id, name }` as in the example, or `{ result_score, item }` as in the schema.
   */
  searchAnswers?: 'plain' | 'scored'
  /**
   * The visibility groups, with the names of the pipelines that each group does not see. Null in a plan without groups:
   * there, 3 stands for the entire company.
   */
  groups?: readonly { name: string; hidden?: readonly string[] }[] | null
  maxOpenDeals?: number
  maxCustomFields?: number
}

/** The values of `visible_to`, with their labels, in a plan without visibility groups and in one with them. */
export const visibilities = ({ settings }: Pick<Account, 'settings'>): { id: number; label: string }[] =>
  settings.groups
    ? [
        { id: 1, label: 'Item owner' },
        { id: 3, label: 'Item owner’s visibility group' },
        { id: 5, label: 'Item owner’s visibility group and sub-groups' },
        { id: 7, label: 'All users' },
      ]
    : [
        { id: 1, label: 'Owner & followers' },
        { id: 3, label: 'Entire company' },
      ]

export const keptMs = 30 * dayMs

export function createAccount(clock: Clock, options: PipedriveOptions = {}) {
  const settings: Required<PipedriveOptions> = {
    searchLagMs: 10_000,
    contactSync: true,
    companyDetails: true,
    campaigns: true,
    isAdmin: true,
    showsDeleted: true,
    restores: true,
    tellsEmpty: true,
    touchesParents: true,
    labelsChange: true,
    stripsInvisible: false,
    tellsSeconds: true,
    searchAnswers: 'plain',
    groups: null,
    maxOpenDeals: 1_000_000,
    maxCustomFields: 1_000,
    ...options,
  }
  const storeOf = <T extends Thing = Thing>() => createStore<T>(clock, { lagMs: settings.searchLagMs })
  // Ids of different kinds never overlap, so that a mistaken kind finds nothing.
  const last: Record<string, number> = { organizations: 10_000, persons: 20_000, deals: 30_000, activities: 40_000 }
  const hash = () => randomBytes(20).toString('hex')
  const now = () => toSecond(clock.now())
  const account = {
    clock,
    settings,
    now,
    hash,
    /** An id that no record of this kind has had. */
    nextId(name: string): string {
      last[name] = (last[name] ?? 100_000 * Object.keys(last).length) + 1
      return String(last[name])
    },
    origin: 'http://127.0.0.1',
    users: [] as User[],
    /** The owner of the key. */
    me: 1,
    organizations: storeOf(),
    persons: storeOf(),
    deals: storeOf(),
    activities: storeOf(),
    pipelines: storeOf(),
    stages: storeOf(),
    notes: storeOf(),
    leads: storeOf(),
    leadLabels: [] as { id: string; name: string; color: string; at: string }[],
    participants: storeOf(),
    dealProducts: storeOf(),
    relationships: storeOf(),
    activityTypes: [] as { id: number; name: string; key: string; isActive: boolean; isCustom: boolean }[],
    currencies: ['EUR', 'USD', 'GBP', 'JPY'],
    files: storeOf<StoredFile>(),
    fields: {} as Record<Kind, Field[]>,
    /** The number of invitations mailed to attendees of activities. */
    invitations: 0,
  }
  account.fields = createFields(account)
  return account
}

export type Account = ReturnType<typeof createAccount>

export const ok = (data: unknown, additional_data?: unknown, status = 200): TwinAnswer =>
  answer(status, { success: true, data, ...(additional_data !== undefined && { additional_data }) })

const hint = 'Please check developers.pipedrive.com for more information about Pipedrive API.'

/** v2 reports the error as an error of the schema. */
export const invalid = (message: string): never =>
  refuse(400, { success: false, error: `Validation failed: ${message}`, code: 'ERR_SCHEMA_VALIDATION_FAILED' })

export const refused = (status: number, error: string, more: Record<string, unknown> = {}): never =>
  refuse(status, { success: false, error, error_info: hint, data: null, additional_data: null, ...more })

export const notFound = (name: string): never => refused(404, `${name} not found`)

/** A record by its id. A deleted record is found only if the account still shows it. */
export function find<T extends Thing>(account: Account, store: Store<T>, id: unknown, name: string): T {
  const thing = store.get(String(id))
  if (!thing || (thing.deletedAt !== null && !account.settings.showsDeleted)) return notFound(name)
  return thing
}

export function findLive<T extends Thing>(store: Store<T>, id: unknown, name: string): T {
  const thing = store.get(String(id))
  return !thing || thing.deletedAt !== null ? notFound(name) : thing
}

export const isLive = ({ deletedAt }: Thing): boolean => deletedAt === null

export const idsOf = (text: string): string[] => text.split(',').filter(Boolean)

/** v1 writes times without a zone: `2026-01-31 08:00:00`. */
export const toV1Time = (moment: string | null): string | null => moment?.replace('T', ' ').replace('Z', '') ?? null

export function touch(account: Account, kind: 'organizations' | 'persons' | 'deals', id: unknown): void {
  const thing = id === null || id === undefined ? undefined : account[kind].get(String(id))
  if (thing && account.settings.touchesParents)
    account[kind].change(thing.id, { body: { ...thing.body, update_time: account.now() } })
}

/** A record deleted 30 days ago is gone permanently. */
export function purge(account: Account): void {
  const { clock } = account
  const stores: Store<Thing>[] = [account.organizations, account.persons, account.deals, account.activities]
  const all = [...stores, account.notes, account.files as unknown as Store<Thing>]
  for (const store of all)
    for (const { id, deletedAt } of store.list((one) => one.deletedAt !== null))
      if (deletedAt !== null && clock.now() - deletedAt >= keptMs) store.remove(id)
}
