import type { Family } from '../../../families/index.ts'
import type { DestinationEntity, OutgoingContent } from '../../contract/contract.ts'
import { familyFields } from '../../kit/family-fields.ts'
import { customTaken, writeCustomValue } from './custom-fields.ts'
import type { Vocabulary } from './vocabulary.ts'
import { writeComments } from './write-comments.ts'
import { writeContacts } from './write-contacts.ts'
import { writeFiles } from './write-files.ts'
import { writeIssues } from './write-issues.ts'
import { writeComponents, writeMemberships, writeMilestones } from './write-project-lists.ts'
import { writeProjects } from './write-projects.ts'
import { writeTimeEntries } from './write-time-entries.ts'
import { writeWikiPages } from './write-wiki-pages.ts'
import { type EntityWriter, type Known, noTimes } from './writing.ts'

const shared = { comments: writeComments, attachments: writeFiles }

export const entityWriters: Partial<Record<Family, Record<string, EntityWriter>>> = {
  project: {
    projects: writeProjects,
    memberships: writeMemberships,
    milestones: writeMilestones,
    components: writeComponents,
    issues: writeIssues,
    time_entries: writeTimeEntries,
    wiki_pages: writeWikiPages,
    ...shared,
  },
  helpdesk: { groups: writeProjects, contacts: writeContacts, tickets: writeIssues, ...shared },
}

export function writerOf(family: Family, entity: string): EntityWriter {
  const writer = entityWriters[family]?.[entity]
  if (!writer) throw new Error(`Redmine takes no ${entity} of the family ${family}`)
  return writer
}

export function describeEntity(family: Family, entity: string, vocabulary: Vocabulary): DestinationEntity {
  const { without, facts, about, customized } = writerOf(family, entity)
  const customFields = customized ? customTaken(vocabulary, customized) : []
  return { fields: familyFields(family, entity, without, facts?.(vocabulary)), customFields, ...about?.(family) }
}

/** Predicts the content that Redmine will store. It has no side effects; for long texts it runs in a thread. */
export function storedContent(family: Family, entity: string, { fields, customFields }: OutgoingContent, known: Known) {
  const custom = Object.entries(customFields).map(([key, { value }]) => [key, writeCustomValue(value)])
  return {
    fields: writerOf(family, entity).stored(fields, known),
    customFields: Object.fromEntries(custom),
    ...noTimes,
  }
}
