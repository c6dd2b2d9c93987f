import { randomUUID } from 'node:crypto'
import { refuse } from '../answers.ts'
import type { Clock } from '../clock.ts'
import { createStore, type Kept } from '../store.ts'
import { groupOf, type Kind, kinds, type Property, propertiesOf } from './catalog.ts'

export interface Thing extends Kept {
  kind: Kind
  properties: Record<string, string | null>
  /** The values of each property that the API and HubSpot itself set, the newest first. */
  history: Record<string, Version[]>
  createdAt: string
  updatedAt: string
}

export interface Change {
  /** What made the change, such as `CRM_UI`. */
  sourceType: string
  updatedByUserId?: number
}
export interface Version extends Change {
  value: string
  timestamp: string
}

export interface Owner extends Kept {
  email: string
  firstName: string
  lastName: string
  isArchived: boolean
}

export interface Stage {
  id: string
  label: string
  displayOrder: number
  metadata: Record<string, string>
  createdAt: string
  updatedAt: string
}

export interface Pipeline {
  id: string
  label: string
  displayOrder: number
  stages: Stage[]
  createdAt: string
  updatedAt: string
}

export interface StoredFile extends Kept {
  /** The name without the extension, which is a separate field. */
  name: string
  extension: string
  folder: string
  access: string
  contentType: string
  bytes: Buffer
  createdAt: string
}

export interface Folder extends Kept {
  /** From the root, such as `/library/cats`. */
  path: string
}

/** How long the search misses a change. */
const lagMs = 10_000

/** The most results of a search. */
const wall = 10_000

export interface SearchRules {
  searchLagMs?: number
  /** A lower limit, so that few records reach it. */
  searchWall?: number
  /** True if HubSpot links contacts to the companies of their domains, and makes these companies. */
  makesCompanies?: boolean
}

export function createAccount(
  clock: Clock,
  { searchLagMs = lagMs, searchWall = wall, makesCompanies = false }: SearchRules = {},
) {
  let lastId = 15_000_000_000
  const now = () => new Date(clock.now()).toISOString()
  const each = <T>(make: (kind: Kind) => T) =>
    Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as Record<Kind, T>
  return {
    clock,
    now,
    searchWall,
    makesCompanies,
    nextId: () => String(++lastId),
    things: each(() => createStore<Thing>(clock, { lagMs: searchLagMs })),
    properties: each((kind) => propertiesOf(kind, now())),
    groups: each((kind) => [{ name: groupOf(kind), label: groupOf(kind), displayOrder: 0, archived: false }]),
    pipelines: { deals: [] as Pipeline[], tickets: [] as Pipeline[] },
    owners: createStore<Owner>(clock),
    files: createStore<StoredFile>(clock),
    folders: createStore<Folder>(clock),
    archivedAt: new Map<string, string>(),
    /** The association types, from a record such as `contacts/1` to a record such as `companies/2`. */
    links: new Map<string, Map<string, Set<number>>>(),
    /** Ids by the values of unique properties. */
    unique: new Map<string, string>(),
  }
}

export type Account = ReturnType<typeof createAccount>

/** An error in the shape that all errors have. */
export const errorOf = (category: string, message: string, more: Record<string, unknown> = {}) => ({
  status: 'error',
  message,
  correlationId: randomUUID(),
  category,
  ...more,
})

export const wrong = (message: string, more: Record<string, unknown> = {}): never =>
  refuse(400, errorOf('VALIDATION_ERROR', message, more))

export const notFound = (): never => refuse(404, errorOf('OBJECT_NOT_FOUND', 'resource not found'))

export function found<T>(thing: T | undefined): T {
  return thing ?? notFound()
}

export const uniqueKey = (kind: Kind, name: string, value: string) => `${kind} ${name} ${value.toLowerCase()}`

export const propertyOf = ({ properties }: Account, kind: Kind, name: string): Property | undefined =>
  properties[kind].find((one) => one.name === name)
