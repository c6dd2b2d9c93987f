import type { Family } from '../../../families/index.ts'
import type { OutgoingContent, StoredContent } from '../../contract/contract.ts'
import { writeComments } from './write-comments.ts'
import { writeContacts } from './write-contacts.ts'
import { writeCustomValue } from './write-custom-fields.ts'
import { writeFiles } from './write-files.ts'
import { writeIssues } from './write-issues.ts'
import { writeMemberships } from './write-memberships.ts'
import { writeComponents, writeMilestones } from './write-project-lists.ts'
import { writeProjects } from './write-projects.ts'
import { writeTimeEntries } from './write-time-entries.ts'
import { writeWikiPages } from './write-wiki-pages.ts'
import type { EntityWriter, Writing } from './writing.ts'

export const entityWriters: Partial<Record<Family, Record<string, EntityWriter>>> = {
  project: {
    projects: writeProjects,
    memberships: writeMemberships,
    milestones: writeMilestones,
    components: writeComponents,
    issues: writeIssues,
    comments: writeComments,
    time_entries: writeTimeEntries,
    wiki_pages: writeWikiPages,
  },
  helpdesk: { groups: writeProjects, contacts: writeContacts, tickets: writeIssues, comments: writeComments },
}

/** Predicts the content that Redmine will store. It has no side effects; for long texts it runs in a thread. */
export function storedContent(
  family: Family,
  entity: string,
  content: OutgoingContent,
  known: Pick<Writing, 'vocabulary' | 'accountId'>,
): StoredContent {
  const { fields, customFields, createdAt, updatedAt } = content
  const writer = entity === 'attachments' ? writeFiles : entityWriters[family]?.[entity]
  if (!writer) throw new Error(`Redmine takes no ${entity} of the family ${family}`)
  const custom = Object.entries(customFields).map(([key, { value }]) => [key, writeCustomValue(value)])
  return {
    fields: writer.stored({ fields, customFields, createdAt, updatedAt }, known),
    customFields: Object.fromEntries(custom),
    createdAt: null,
    updatedAt: null,
  }
}
