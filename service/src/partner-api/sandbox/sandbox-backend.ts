import type { Connector } from '../../connectors/contract/contract.ts'
import { type SourceTool, sourceToolsFor } from '../../connectors/registry.ts'
import type { ImportDetail } from '../../imports/import-rows.ts'
import { type ImportStatus, importStatuses } from '../../lifecycle.ts'
import type { PartnerMapping } from '../../mapping/saved-mappings.ts'
import { portalLinks } from '../../portal-link.ts'
import type { PartnerApiBackend } from '../backend.ts'
import { boundDestinationChecks } from './bound-destination-checks.ts'

/** A fixed catalog with a tool of each family. */
const catalog: SourceTool[] = [
  { tool: 'fernhill', label: 'Fernhill Desk', families: ['helpdesk'] },
  { tool: 'redmine', label: 'Redmine', families: ['project'] },
  { tool: 'tryton', label: 'Tryton', families: ['crm'] },
  { tool: 'wordpress', label: 'WordPress', families: ['blog'] },
]

const usernameWithoutImports = 'nobody@example.com'
const createdAt = Date.UTC(2026, 0, 15, 9, 0, 0)

const sampleItems = { contacts: 20, tickets: 20 }
const fullItems = { contacts: 234, tickets: 123 }
const users = { source_tool: 5, destination_tool: 4, matched: 3 }

type Stage = Pick<ImportDetail, 'sponsorship' | 'paid' | 'items' | 'users' | 'progress' | 'warnings'>

const nothingYet: Stage = {
  sponsorship: 'undecided',
  paid: false,
  items: {},
  users: { source_tool: 0, destination_tool: 0, matched: 0 },
  progress: { done: 0, total: null },
  warnings: [],
}

const stages: Record<ImportStatus, Stage> = {
  collecting_credentials: nothingYet,
  waiting_to_start_sample_migration: { ...nothingYet, users },
  sample_migration_in_progress: {
    ...nothingYet,
    users,
    items: { contacts: 20, tickets: 4 },
    progress: { done: 24, total: 40 },
  },
  sample_migration_completed: { ...nothingYet, users, items: sampleItems, progress: { done: 40, total: 40 } },
  in_preparation: {
    ...nothingYet,
    sponsorship: 'rejected',
    paid: true,
    users,
    items: sampleItems,
    progress: { done: 40, total: 40 },
  },
  migration_in_progress: {
    ...nothingYet,
    sponsorship: 'accepted',
    users,
    items: { contacts: 100, tickets: 20 },
    progress: { done: 120, total: 400 },
  },
  migration_completed: {
    ...nothingYet,
    sponsorship: 'accepted',
    users,
    items: fullItems,
    progress: { done: 400, total: 400 },
    warnings: [
      {
        code: 'attachment_too_large',
        message: '3 attachments over 20 MB were left out',
        entity: 'attachments',
        count: 3,
      },
    ],
  },
  undo_in_progress: {
    ...nothingYet,
    sponsorship: 'accepted',
    users,
    items: { contacts: 234, tickets: 40 },
    progress: { done: 83, total: 357 },
  },
  migration_cleaned: { ...nothingYet, sponsorship: 'accepted', users, progress: { done: 357, total: 357 } },
}

/** One import for each status, newest first, a day apart. */
const imports: ImportDetail[] = importStatuses
  .map(
    (status, index): ImportDetail => ({
      id: `imp_sandbox_${status}`,
      link_version: 1,
      status,
      family: 'helpdesk',
      source_tool: 'fernhill',
      destination_tool: 'open',
      sponsorship_by: null,
      sponsorship_reason: null,
      created_at: new Date(createdAt + index * 86_400_000),
      ...stages[status],
    }),
  )
  .reverse()

const example = { id: 'imp_sandbox_collecting_credentials', link_version: 1 }

const exampleMapping: PartnerMapping = {
  id: 'map_sandbox',
  name: 'Recommended',
  family: 'helpdesk',
  source_tool: 'fernhill',
  saved_at: new Date(createdAt),
  changes: { entities: { tickets: { fields: { channel: { to: null } } } } },
}

/** Fixed answers; nothing is stored, sent or started. */
export function createSandboxBackend(connectors: readonly Connector[]): PartnerApiBackend {
  return {
    // No secret: these links open nothing.
    isSandbox: true,
    links: portalLinks(Buffer.from('sandbox')),
    hasRows: false,
    // The sandbox stores no request to compare with.
    fingerprint: () => Buffer.alloc(0),
    listTools: () => catalog,
    acceptedTools: (partner) => {
      // All tools of the catalog, and the tools that the partner really has.
      const real = sourceToolsFor(partner, connectors)
      const familiesOf = (name: string) => real.find(({ tool }) => tool === name)?.families ?? []
      const listed = catalog.map((one) => ({
        ...one,
        families: [...new Set([...familiesOf(one.tool), ...one.families])],
      }))
      return [...listed, ...real.filter(({ tool }) => catalog.every((other) => other.tool !== tool))]
    },
    beginDestinationCheck: boundDestinationChecks(),
    findEarlierImport: async () => null,
    createImport: async () => example,
    findImport: (importId) => imports.find(({ id }) => id === importId) ?? null,
    listImports: async (_partner, { destinationUsername, limit, after }) => {
      const all = destinationUsername === usernameWithoutImports ? [] : imports
      const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
      const entries = all.slice(start, limit === null ? undefined : start + limit)
      const isLast = limit === null || start + limit >= all.length
      return { entries, next: isLast ? null : (entries.at(-1)?.id ?? null) }
    },
    decideSponsorship: async () => {},
    issueLink: async (_partner, { link_version }) => ({ link_version: link_version + 1 }),
    listMappings: async () => [exampleMapping],
    provideMapping: async (_partner, { name, family, sourceTool }, { default_user: _, ...changes }) => ({
      ...{ ...exampleMapping, name, family },
      ...{ source_tool: sourceTool, changes },
    }),
    removeMapping: async (_partner, mappingId) => mappingId === exampleMapping.id,
  }
}
