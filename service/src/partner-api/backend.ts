import type { Connector } from '../connectors/contract/contract.ts'
import { type SourceTool, sourceToolsFor } from '../connectors/registry.ts'
import type { MappingChanges } from '../db/mapping-changes.ts'
import type { Db } from '../db/open-database.ts'
import type { Family } from '../families/index.ts'
import {
  type CheckedImport,
  type CreatedImport,
  createImport,
  findEarlierImport,
  type Idempotency,
} from '../imports/create-import.ts'
import { decideSponsorship } from '../imports/decide-sponsorship.ts'
import type { ImportDetail, ImportEntry } from '../imports/import-rows.ts'
import { issueLink } from '../imports/issue-link.ts'
import { type ListedImports, listImports, pageOf } from '../imports/list-imports.ts'
import type { Installation } from '../installation.ts'
import type { KeyRing } from '../key-ring.ts'
import type { Sponsorship } from '../lifecycle.ts'
import {
  listPartnerMappings,
  type PartnerMapping,
  providePartnerMapping,
  removePartnerMapping,
} from '../mapping/saved-mappings.ts'
import type { PortalLinks } from '../portal-link.ts'
import type { AuthenticatedPartner } from './authenticate.ts'

/** The functions behind the routes. The live API and the sandbox differ only in this. */
export interface PartnerApiBackend {
  isSandbox: boolean
  links: PortalLinks
  /** Whether imports are rows of the database. Then `findCallers` finds them together with the token. */
  hasRows: boolean
  /** The keyed hash of a request body, see `Installation`. */
  fingerprint(bytes: Buffer): Buffer
  listTools(partner: AuthenticatedPartner): SourceTool[]
  /** The tools that a new import may name. */
  acceptedTools(partner: AuthenticatedPartner): SourceTool[]
  /** Begins the check of a new import's destination; dispose of the result after it. Null if no check may begin now. */
  beginDestinationCheck(partner: AuthenticatedPartner, instanceUrl: string | null): Promise<Disposable | null>
  findEarlierImport(partner: AuthenticatedPartner, idempotency: Idempotency): Promise<CreatedImport | null>
  createImport(
    partner: AuthenticatedPartner,
    input: CheckedImport,
    idempotency: Idempotency | null,
  ): Promise<CreatedImport>
  /** The import of an id; `stored` is the one that the database found together with the token. */
  findImport(importId: string, stored: ImportDetail | null): ImportDetail | null
  /** `stored` is the customer's whole list, if the database found it together with the token. */
  listImports(
    partner: AuthenticatedPartner,
    query: { destinationUsername: string; limit: number | null; after: string | null },
    stored: ImportEntry[] | null,
  ): Promise<ListedImports>
  decideSponsorship(
    partner: AuthenticatedPartner,
    importId: string,
    decision: Exclude<Sponsorship, 'undecided'>,
  ): Promise<void>
  /** Answers null when there is no such import any more. */
  issueLink(partner: AuthenticatedPartner, imp: ImportDetail): Promise<{ link_version: number } | null>
  listMappings(partner: AuthenticatedPartner): Promise<PartnerMapping[]>
  provideMapping(
    partner: AuthenticatedPartner,
    place: { name: string; family: Family; sourceTool: string },
    changes: MappingChanges,
  ): Promise<PartnerMapping>
  /** Answers false when the partner has no such mapping. */
  removeMapping(partner: AuthenticatedPartner, mappingId: string): Promise<boolean>
}

export function createLiveBackend(parts: {
  db: Db
  keyRing: KeyRing
  installation: Installation
  connectors: readonly Connector[]
}): PartnerApiBackend {
  const { db, keyRing, installation, connectors } = parts
  const listTools = (partner: AuthenticatedPartner) => sourceToolsFor(partner, connectors)
  return {
    ...installation,
    isSandbox: false,
    hasRows: true,
    listTools,
    acceptedTools: listTools,
    beginDestinationCheck: async () => ({ [Symbol.dispose]() {} }),
    findEarlierImport: (partner, idempotency) => findEarlierImport(db, partner.id, idempotency),
    createImport: (partner, input, idempotency) => createImport(db, keyRing, partner, input, idempotency),
    findImport: (_importId, stored) => stored,
    listImports: async (partner, query, stored) =>
      stored ? pageOf(stored, query.limit) : listImports(db, { partnerId: partner.id, ...query }),
    decideSponsorship: (partner, importId, decision) =>
      decideSponsorship(db, { partnerId: partner.id, importId, decision }),
    issueLink: ({ id: partnerId }, imp) => issueLink(db, imp.id, { actor: `partner ${partnerId}`, partnerId }),
    listMappings: (partner) => listPartnerMappings(db, partner.id),
    provideMapping: ({ id: partnerId, destinationTool }, place, changes) =>
      providePartnerMapping(db, { partnerId, destinationTool, ...place }, changes, `partner ${partnerId}`),
    removeMapping: async (partner, mappingId) =>
      (await removePartnerMapping(db, mappingId, `partner ${partner.id}`, partner.id)) !== null,
  }
}
