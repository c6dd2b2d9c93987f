import { entitiesOf, type Family as HarbourFamily } from '../../demo/harbour/entities.ts'
import { entities as ghostEntities } from '../../service/src/connectors/blog/ghost/entities.ts'
import { commentStatus as ghostCommentStatus } from '../../service/src/connectors/blog/ghost/lenses.ts'
import { toPostRequest as toGhostRequest } from '../../service/src/connectors/blog/ghost/mapping.ts'
import { offers as ghostOffers } from '../../service/src/connectors/blog/ghost/writer.ts'
import { commentStatus, entities as wordpressEntities } from '../../service/src/connectors/blog/wordpress/entities.ts'
import { toRequest } from '../../service/src/connectors/blog/wordpress/mapping.ts'
import { offers as wordpressOffers } from '../../service/src/connectors/blog/wordpress/writer.ts'
import type { DestinationDescription, OutgoingRecord } from '../../service/src/connectors/contract/contract.ts'
import { noFacts } from '../../service/src/connectors/crm/hubspot/define.ts'
import {
  comments as hubspotComments,
  deals as hubspotDeals,
  attachments as hubspotFiles,
} from '../../service/src/connectors/crm/hubspot/entities.ts'
import { typeFor } from '../../service/src/connectors/crm/hubspot/write-objects.ts'
import * as pipedriveEntities from '../../service/src/connectors/crm/pipedrive/entities.ts'
import * as freshdeskEntities from '../../service/src/connectors/helpdesk/freshdesk/entities.ts'
import * as helpscoutEntities from '../../service/src/connectors/helpdesk/helpscout/entities.ts'
import { kindOf as kindOfThread } from '../../service/src/connectors/helpdesk/helpscout/threads.ts'
import { isForAgents } from '../../service/src/connectors/helpdesk/helpscout/write-messages.ts'
import * as intercomEntities from '../../service/src/connectors/helpdesk/intercom/entities.ts'
import { kindOf, toBody } from '../../service/src/connectors/helpdesk/intercom/write-help.ts'
import { toReply } from '../../service/src/connectors/helpdesk/intercom/write-messages.ts'
import { typeFor as ticketTypeFor } from '../../service/src/connectors/helpdesk/intercom/write-tickets.ts'
import * as rtEntities from '../../service/src/connectors/helpdesk/rt/messages.ts'
import { tickets as rtTickets, storedComment } from '../../service/src/connectors/helpdesk/rt/tickets.ts'
import { storedFile } from '../../service/src/connectors/helpdesk/rt/write-messages.ts'
import * as zendeskEntities from '../../service/src/connectors/helpdesk/zendesk/entities.ts'
import { aboutBlog } from '../../service/src/connectors/kit/about-blog.ts'
import type { Entity } from '../../service/src/connectors/kit/entity.ts'
import { describeEntity, type Offer, writeRecord } from '../../service/src/connectors/kit/write-record.ts'
import { toWire } from '../../service/src/connectors/open/to-wire.ts'
import type { Vocabulary } from '../../service/src/connectors/project/redmine/vocabulary.ts'
import * as redmineWriter from '../../service/src/connectors/project/redmine/writer.ts'
import type { Family } from '../../service/src/families/index.ts'

export interface PrivateDestination {
  family: Family
  description: DestinationDescription
  /** True if the sent form hides this record from people who could not see it before. */
  keeps(entity: string, record: OutgoingRecord): boolean
}

const { capabilities } = aboutBlog('x', 25)
const described = (entities: DestinationDescription['entities']): DestinationDescription => ({
  account: { name: 'x' },
  capabilities,
  textFormat: 'html',
  maxFileBytes: null,
  entities,
})

const entitiesWith = (entities: Record<string, Entity<never>>, offers: Record<string, Offer>) =>
  Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, describeEntity(entity, offers[name])]))

export const now = Date.parse('2026-01-01T00:00:00Z')

const wordpress: PrivateDestination = {
  family: 'blog',
  description: described(entitiesWith(wordpressEntities, wordpressOffers)),
  keeps(entity, record) {
    if (entity === 'comments') return commentStatus(record.fields.status) !== 'approved'
    const { status, password, date_gmt } = toRequest(entity as 'posts', record, now) as Record<string, string>
    // WordPress publishes a text whose scheduled time has passed.
    if (status === 'future') return Date.parse(String(date_gmt)) > now
    return status !== 'publish' || password !== ''
  },
}

const ghost: PrivateDestination = {
  family: 'blog',
  description: described(entitiesWith(ghostEntities, ghostOffers)),
  keeps(entity, record) {
    if (entity === 'comments') return ghostCommentStatus(record.fields.status) === 'hidden'
    const { request } = toGhostRequest(entity as 'posts', record, { site: 'https://ghost.example', now })
    if (request.status === 'scheduled') return Date.parse(String(request.published_at)) > now
    return request.status === 'draft' || request.visibility !== 'public'
  },
}

const vocabulary: Vocabulary = {
  trackers: [],
  statuses: [],
  priorities: [],
  activities: [],
  roles: [],
  fields: [],
  bornWith: new Map(),
  textFormat: 'textile',
}

const redmine = (family: 'project' | 'helpdesk'): PrivateDestination => {
  const [top, issues] = family === 'project' ? ['projects', 'issues'] : ['groups', 'tickets']
  const describe = (entity: string) => {
    const offer = redmineWriter.offerOf(family, entity, vocabulary)
    return [entity, describeEntity(redmineWriter.declaredOf(family, entity), offer)]
  }
  return {
    family,
    description: described(Object.fromEntries([top, issues, 'comments', 'attachments'].map(describe))),
    keeps(entity, record) {
      // Everyone who sees an issue of Redmine sees its files.
      if (entity === 'attachments') return false
      const { fields } = redmineWriter.storedContent(entity, record, { family, vocabulary, accountId: 1 })
      return entity === top ? fields.isPublic === false : fields.isPrivate === true
    },
  }
}

const rt: PrivateDestination = {
  family: 'helpdesk',
  description: described({
    tickets: describeEntity(rtTickets),
    comments: describeEntity(rtEntities.comments),
    attachments: describeEntity(rtEntities.attachments),
  }),
  keeps(entity, record) {
    if (entity === 'comments') return storedComment(record).fields.is_public === false
    return entity === 'attachments' && storedFile(record).fields.is_private === true
  },
}

/** A product that implements the protocol promises to respect the fields that it declares. */
const open = (family: HarbourFamily): PrivateDestination => {
  const entities = Object.entries(entitiesOf([family])).map(([name, fields]) => [name, { fields, customFields: [] }])
  return {
    family,
    description: described(Object.fromEntries(entities)),
    keeps(_entity, record) {
      const { is_public, is_private, status, visibility, password, published_at } = toWire(record).fields
      const isOut =
        status === undefined ||
        (status === 'scheduled' && !(Date.parse(String(published_at)) > now)) ||
        status === 'published' ||
        status === 'approved'
      return is_public === false || is_private === true || !isOut || (visibility ?? 'public') !== 'public' || !!password
    },
  }
}

/** A product without any audience field. */
const careless = (family: HarbourFamily): PrivateDestination => {
  const telling = ['is_public', 'is_private', 'status', 'visibility', 'password']
  const { description } = open(family)
  const entities = Object.entries(description.entities).map(([name, { fields }]) => {
    const left = Object.entries(fields).filter(([field]) => !telling.includes(field))
    return [name, { fields: Object.fromEntries(left), customFields: [] }]
  })
  return { family, description: described(Object.fromEntries(entities)), keeps: () => false }
}

/** A product with its own values for the audience. */
const worded: PrivateDestination = {
  ...open('blog'),
  description: described({
    posts: ownWords(['Live', 'Hidden'], ['Everyone', 'Members']),
    pages: ownWords(['Live', 'Active'], ['Everyone']),
    comments: ownWords(['Active', 'Open', 'Junk'], []),
  }),
  keeps: (_entity, { fields }) =>
    !['Live', 'Active', 'Open'].includes(String(fields.status)) || fields.visibility === 'Members',
}

function ownWords(status: string[], visibility: string[]): DestinationDescription['entities'][string] {
  const option = (options: string[]) => ({
    type: 'option' as const,
    many: false,
    required: false,
    maxLength: null,
    options,
  })
  return { fields: { status: option(status), visibility: option(visibility) }, customFields: [] }
}

const hubspot: PrivateDestination = {
  family: 'helpdesk',
  description: described({
    comments: describeEntity(hubspotComments('notes', noFacts)),
    attachments: describeEntity(hubspotFiles.helpdesk),
  }),
  // Files are always uploaded as private ones.
  keeps: (entity, record) => entity === 'attachments' || typeFor('helpdesk', entity, record) === 'notes',
}

/** HubSpot has no field for private records, so none is sent. */
const hubspotCrm: PrivateDestination = {
  family: 'crm',
  description: described({ deals: describeEntity(hubspotDeals(noFacts)) }),
  keeps: () => false,
}

const intercom: PrivateDestination = {
  family: 'helpdesk',
  description: described({
    tickets: describeEntity(intercomEntities.tickets),
    comments: describeEntity(intercomEntities.comments),
    attachments: describeEntity(intercomEntities.attachments),
    articles: describeEntity(intercomEntities.articles),
  }),
  keeps(entity, record) {
    const me = { me: '1' }
    if (entity === 'comments') return toReply(me, record).json.message_type === 'note'
    if (entity === 'tickets') return ticketTypeFor(record).category === 'Back-office'
    if (entity !== 'articles') return entity === 'attachments'
    const kind = kindOf('articles', record)
    return kind === 'i' || toBody(me, kind, record).json.state !== 'published'
  },
}

const zendesk: PrivateDestination = {
  family: 'helpdesk',
  description: described({
    tickets: describeEntity(zendeskEntities.tickets),
    comments: describeEntity(zendeskEntities.comments),
    attachments: describeEntity(zendeskEntities.attachments),
  }),
  keeps(entity, record) {
    if (entity === 'tickets') return writeRecord(zendeskEntities.tickets, record).entry_public === false
    // Files are always notes for agents.
    return entity === 'attachments' || writeRecord(zendeskEntities.comments, record).public !== true
  },
}

const freshdesk: PrivateDestination = {
  family: 'helpdesk',
  description: described({
    comments: describeEntity(freshdeskEntities.comments),
    articles: describeEntity(freshdeskEntities.articles),
    attachments: describeEntity(freshdeskEntities.attachments),
  }),
  keeps(entity, record) {
    if (entity === 'articles') {
      const { status, visibility } = writeRecord(freshdeskEntities.articles, record, { isWhole: true })
      return status !== 2 || visibility !== 'public'
    }
    // Private files of public texts become private notes, and those of public articles are refused.
    return (
      entity === 'attachments' || writeRecord(freshdeskEntities.comments, record, { isWhole: true }).private !== false
    )
  },
}

const helpscout: PrivateDestination = {
  family: 'helpdesk',
  description: described({
    tickets: describeEntity(helpscoutEntities.tickets),
    comments: describeEntity(helpscoutEntities.comments),
    articles: describeEntity(helpscoutEntities.articles),
    attachments: describeEntity(helpscoutEntities.attachments),
  }),
  keeps(entity, record) {
    if (entity === 'tickets') return writeRecord(helpscoutEntities.tickets, record).entry_private === true
    if (entity === 'comments') return kindOfThread(record) === 'note'
    if (entity === 'articles') {
      const { status, visibility } = writeRecord(helpscoutEntities.articles, record, { isWhole: true })
      return status !== 'published' || visibility !== 'public'
    }
    // A private file of a public thread goes into a note. A file of a private thread is private.
    return isForAgents(record.fields.is_private, { id: 1, entry_public: true })
  },
}

const pipedriveDeclared: Record<string, Entity> = {
  accounts: pipedriveEntities.accounts(pipedriveEntities.noFacts),
  contacts: pipedriveEntities.contacts(pipedriveEntities.noFacts),
  deals: pipedriveEntities.deals(pipedriveEntities.noFacts),
}
const pipedrive: PrivateDestination = {
  family: 'crm',
  description: described(
    Object.fromEntries(Object.entries(pipedriveDeclared).map(([name, entity]) => [name, describeEntity(entity)])),
  ),
  keeps: (entity, record) => {
    const declared = pipedriveDeclared[entity]
    return declared !== undefined && writeRecord(declared, record, { isWhole: true }).visible_to === 1
  },
}

const tryton = 'it has no field for private records or files, so it never gets any'

/** How each destination stores restricted records, or the reason why it never gets any. */
export const privateDestinations: Record<string, PrivateDestination[] | string> = {
  freshdesk: [freshdesk],
  ghost: [ghost],
  helpscout: [helpscout],
  hubspot: [hubspot, hubspotCrm],
  intercom: [intercom],
  open: [
    ...(['helpdesk', 'project', 'blog', 'crm'] as const).flatMap((family) => [open(family), careless(family)]),
    worded,
  ],
  pipedrive: [pipedrive],
  redmine: [redmine('project'), redmine('helpdesk')],
  rt: [rt],
  tryton,
  wordpress: [wordpress],
  zendesk: [zendesk],
}
