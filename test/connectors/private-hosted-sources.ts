import { noFacts } from '../../service/src/connectors/crm/hubspot/define.ts'
import {
  comments as hubspotComments,
  attachments as hubspotFiles,
} from '../../service/src/connectors/crm/hubspot/entities.ts'
import * as pipedrive from '../../service/src/connectors/crm/pipedrive/entities.ts'
import * as freshdesk from '../../service/src/connectors/helpdesk/freshdesk/entities.ts'
import * as helpscout from '../../service/src/connectors/helpdesk/helpscout/entities.ts'
import * as intercom from '../../service/src/connectors/helpdesk/intercom/entities.ts'
import { type Around, fromTicket } from '../../service/src/connectors/helpdesk/intercom/look-around.ts'
import { toArticle, toMessage } from '../../service/src/connectors/helpdesk/intercom/read-parts.ts'
import * as zendesk from '../../service/src/connectors/helpdesk/zendesk/entities.ts'
import type { RawRecord } from '../../service/src/connectors/kit/lens.ts'
import { readRecord } from '../../service/src/connectors/kit/read-record.ts'
import type { PrivateThings } from './private-sources.ts'

// Restricted records of hosted tools.

export function fromZendesk(): PrivateThings {
  const facts = { made: {}, statuses: [], categories: [], locales: [], locale: null, statusIds: new Set(), zone: null }
  const ticket = { id: 1, subject: 'x', status: 'open', entry_public: false, entry_html: '<p>x</p>' }
  const comment = { id: '1-2', ticket_id: '1', html_body: '<p>x</p>', files: [] }
  const file = { id: '1-2-3', parent: { entity: 'comments', sourceId: '1-2' }, file_name: 'x', is_private: true }
  const article = { id: 1, title: 'x', body: '<p>x</p>', draft: false, user_segment_id: null, files: [] }
  const hidden = [
    { draft: true },
    { draft: undefined },
    { draft: 'no' },
    { user_segment_id: 5 },
    { user_segment_ids: [5] },
  ]
  return {
    family: 'helpdesk',
    records: [
      readRecord(zendesk.tickets, ticket, facts).record,
      ...[false, undefined, null, 'yes'].map(
        (open) => readRecord(zendesk.comments, { ...comment, public: open }, {}).record,
      ),
      readRecord(zendesk.attachments, file, {}).record,
      ...hidden.map((more) => readRecord(zendesk.articles, { ...article, ...more }, {}).record),
      readRecord(zendesk.articles, { ...article, user_segment_id: undefined }, {}).record,
    ],
  }
}

export function fromFreshdesk(): PrivateThings {
  const facts = {
    ...{ made: {}, agents: new Set<number>(), agentOf: new Map<string, number>(), types: [], required: [] },
    staff: new Map<number, string>(),
    ...{ statuses: new Map<string, string>(), sources: new Map<string, string>() },
    ...{ products: new Map<number, string>(), mailboxes: new Map<number, string>() },
  }
  const comment = { id: '1-2', ticket_id: 1, body: '<p>x</p>', files: [] }
  const file = { id: '1-2-3', parent: { entity: 'comments', sourceId: '1-2' }, name: 'x', is_private: true }
  const article = { id: 1, title: 'x', description: '<p>x</p>', status: 2, visibility: 1, files: [] }
  const hidden = [{ status: 1 }, { status: undefined }, { status: '2' }, { visibility: 3 }, { visibility: null }]
  return {
    family: 'helpdesk',
    records: [
      ...[true, undefined, null, 'no'].map(
        (isPrivate) => readRecord(freshdesk.comments, { ...comment, private: isPrivate }, facts).record,
      ),
      readRecord(freshdesk.attachments, file, facts).record,
      ...hidden.map((more) => readRecord(freshdesk.articles, { ...article, ...more }, facts).record),
    ],
  }
}

export function fromHelpscout(): PrivateThings {
  const facts = {
    users: new Set<string>(),
    teams: new Set<string>(),
    fields: new Map(),
    properties: new Map(),
    organizationProperties: new Map(),
  }
  const ticket = { id: 1, subject: 'x', status: 'active', entry_html: '<p>x</p>', entry_private: true }
  const comment = { id: '1-2', ticket_id: '1', body: '<p>x</p>', files: [] }
  const file = { id: '1-2-3', parent: { entity: 'comments', sourceId: '1-2' }, filename: 'x', is_private: true }
  const article = { id: 'a1', name: 'x', text: '<p>x</p>', status: 'published', entry_visibility: 'public' }
  const hidden = [
    { status: 'notpublished' },
    { status: 5 },
    { entry_visibility: 'private' },
    { entry_visibility: null },
  ]
  return {
    family: 'helpdesk',
    records: [
      readRecord(helpscout.tickets, ticket, facts).record,
      ...[false, undefined, null, 'yes'].map(
        (open) => readRecord(helpscout.comments, { ...comment, entry_public: open }, {}).record,
      ),
      readRecord(helpscout.attachments, file, {}).record,
      ...hidden.map((more) => readRecord(helpscout.articles, { ...article, ...more }, {}).record),
    ],
  }
}

export function fromHubspot(): PrivateThings {
  const note = { id: 'notes-3', properties: {}, links: { tickets: ['1'], contacts: [] }, isPublic: false }
  const parent = { entity: 'comments', sourceId: 'notes-3' }
  return {
    family: 'helpdesk',
    records: [
      readRecord(hubspotComments('notes', noFacts), note, undefined).record,
      readRecord(hubspotFiles.helpdesk, { id: 'notes-3-4', parent, fileName: 'a.pdf', isPrivate: true }, undefined)
        .record,
    ],
  }
}

/** Records that only their owner and followers see. */
export function fromPipedrive(): PrivateThings {
  const declared = [pipedrive.accounts, pipedrive.contacts, pipedrive.deals].map((declare) =>
    declare(pipedrive.noFacts),
  )
  const raw = { name: 'x', title: 'x' }
  return {
    family: 'crm',
    records: declared.flatMap((entity, at) =>
      [1, '1'].map((visible_to) => readRecord(entity, { ...raw, id: at + 1, visible_to }, undefined).record),
    ),
  }
}

export function fromIntercom(): PrivateThings {
  const made = { organizations: new Map(), contacts: new Map(), tickets: new Map() }
  const attributes = { organizations: [], contacts: [], conversations: [] }
  const around: Around = { workspace: 'w', admins: new Map(), tags: new Map(), states: [], types: [], made, attributes }
  const site = 'https://app.intercom.com'
  const file = { name: 'a.pdf', url: 'https://files.example/a.pdf', content_type: 'application/pdf', filesize: 3 }
  const tickets = [{ category: 'Back-office' }, { category: 'Tracker', is_shared: false }, {}]
  const parts = ['note', 'close', 'assignment', undefined].flatMap(
    (part_type) =>
      toMessage({ id: 'c1' }, { id: 2, part_type, body: '<p>x</p>', attachments: [file] }, around, site) ?? [],
  )
  const article = { id: 1, title: 'x', body: '<p>x</p>', state: 'published' }
  const place = { innermost: null, others: 0 }
  const hidden = [
    toArticle('i', article, around, site, place),
    ...[{ state: 'draft' }, { state: undefined }, { help_center_audience: 'restricted' }].map((more) =>
      toArticle('a', { ...article, ...more }, around, site, place),
    ),
  ]
  const facts = { workspace: 'w', admins: new Map<string, string>(), tags: new Map(), states: [], made }
  return {
    family: 'helpdesk',
    records: [
      ...tickets.map(
        (more) => readRecord(intercom.tickets, fromTicket({ id: 1, ...more }, around, site), facts).record,
      ),
      ...parts.map((raw) => readRecord(intercom.comments, raw, {}).record),
      ...parts.flatMap(({ files }) =>
        (files as RawRecord[]).map((raw) => readRecord(intercom.attachments, raw, {}).record),
      ),
      ...hidden.map((raw) => readRecord(intercom.articles, raw, {}).record),
    ],
  }
}
