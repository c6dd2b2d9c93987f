import { toRecord as fromGhostRecord } from '../../service/src/connectors/blog/ghost/mapping.ts'
import type { Surroundings } from '../../service/src/connectors/blog/wordpress/lenses.ts'
import { toRecord } from '../../service/src/connectors/blog/wordpress/mapping.ts'
import {
  articles as deskArticles,
  comments as deskComments,
  attachments as deskFiles,
} from '../../service/src/connectors/helpdesk/fernhill/entities.ts'
import * as rt from '../../service/src/connectors/helpdesk/rt/messages.ts'
import { readRecord } from '../../service/src/connectors/kit/read-record.ts'
import type { MapContext } from '../../service/src/connectors/project/redmine/reading.ts'
import { toIssue, toComment as toNote, toProject } from '../../service/src/connectors/project/redmine/to-records.ts'
import type { Family } from '../../service/src/families/index.ts'
import type { FamilyRecord } from '../../service/src/families/record.ts'
import { uploadOf, zipOf } from './csv-upload.ts'
import {
  fromFreshdesk,
  fromHelpscout,
  fromHubspot,
  fromIntercom,
  fromPipedrive,
  fromZendesk,
} from './private-hosted-sources.ts'
import { readRecords } from './read-csv.ts'

export interface PrivateThings {
  family: Family
  /** All restricted records of the tool, as its reader returns them. */
  records: FamilyRecord[]
}

const moment = '2020-01-02T03:04:05'
const html = { raw: '<p>x</p>', rendered: '<p>x</p>' }

function fromWordpress(): PrivateThings {
  const around: Surroundings = {
    users: new Set([1]),
    comments: new Set(),
    media: new Map(),
    shown: new Map(),
  }
  const writing = { id: 1, title: html, content: html, excerpt: html, date_gmt: moment, author: 1, password: '' }
  const hidden = ['draft', 'pending', 'private', 'future', 'in-review', 'auto-draft', '', 5, undefined]
  const writings = [
    ...hidden.map((status) => ({ ...writing, status })),
    { ...writing, status: 'future', date_gmt: '2036-01-02T03:04:05' },
    // People without the password see nothing, and nobody sees a draft.
    ...['publish', 'draft', 'future'].map((status) => ({ ...writing, status, password: 'p' })),
    { ...writing, status: 'publish', password: 7 },
  ]
  const onPost = { _links: { up: [{ post_type: 'post' }] }, post: 1, id: 1, content: html }
  const comments = ['hold', 'spam', 'trash', 'post-trashed', undefined].map((status) => ({ ...onPost, status }))
  return {
    family: 'blog',
    records: [
      ...writings.map((raw) => toRecord('posts', raw, around).record),
      ...writings.map((raw) => toRecord('pages', raw, around).record),
      ...comments.map((raw) => toRecord('comments', raw, around).record),
    ],
  }
}

function fromGhost(): PrivateThings {
  const id = 'c'.repeat(24)
  const post = { id, title: 'x', html: '<p>x</p>', status: 'published', visibility: 'public' }
  const posts = [
    ...['draft', 'scheduled', 'sent', 'later', undefined].map((status) => ({ ...post, status })),
    ...['members', 'paid', 'tiers', 'label:friends', undefined].map((visibility) => ({ ...post, visibility })),
  ]
  const around = { pages: new Set<string>(), comments: new Set<string>() }
  const comments = ['hidden', 'deleted', undefined].map((status) => ({ id, post: { id, url: 'x' }, html: 'x', status }))
  return {
    family: 'blog',
    records: [
      ...posts.map((raw) => fromGhostRecord('posts', raw, around).record),
      ...comments.map((raw) => fromGhostRecord('comments', raw, around).record),
    ],
  }
}

const redmine = (family: Family): MapContext => ({
  family,
  base: 'https://redmine.example',
  people: new Set([1]),
  versionNames: new Map(),
  vocabulary: {
    trackers: [],
    statuses: [],
    priorities: [],
    activities: [],
    roles: [],
    fields: [],
    bornWith: new Map(),
    textFormat: 'textile',
  },
})

function fromRedmine(): PrivateThings {
  const context = redmine('project')
  const issue = { id: 1, subject: 'x', project: { id: 1, name: 'p' } }
  const note = { id: 2, notes: 'x', user: { id: 1, name: 'a' } }
  return {
    family: 'project',
    records: [
      ...[false, undefined, 'no'].map((is_public) => toProject(context, { id: 1, name: 'p', is_public }, []).record),
      ...[true, undefined, 'yes'].map((is_private) => toIssue(context, { ...issue, is_private }).record),
      ...[true, undefined, 'yes'].map((private_notes) => toNote(context, issue, 1, { ...note, private_notes }).record),
    ],
  }
}

function fromRedmineDesk(): PrivateThings {
  const context = redmine('helpdesk')
  const issue = { id: 1, subject: 'x', project: { id: 1, name: 'p' }, author: { id: 1, name: 'a' } }
  const note = { id: 2, notes: 'x', user: { id: 1, name: 'a' } }
  return {
    family: 'helpdesk',
    records: [
      ...[true, undefined, 'yes'].map((is_private) => toIssue(context, { ...issue, is_private }).record),
      ...[true, undefined, 'yes'].map((private_notes) => toNote(context, issue, 1, { ...note, private_notes }).record),
    ],
  }
}

function fromRt(): PrivateThings {
  const facts = { agents: new Set(['9']), system: new Set<string>() }
  const part = { id: '5', Filename: 'a.pdf', ContentType: 'application/pdf', ContentLength: '3' }
  const messages = ['Comment', 'EmailRecord', 'CommentEmailRecord', undefined].map((Type) => ({
    transaction: { id: '3', ...(Type === undefined ? {} : { Type }) },
    ticketId: '1',
    isDescription: false,
    parts: [part],
  }))
  return {
    family: 'helpdesk',
    records: messages.flatMap((message) => [
      readRecord(rt.comments, rt.commentOf(message, { format: 'html', body: 'x' }), facts).record,
      ...rt.filesOf(message, 'https://rt.example').map((file) => readRecord(rt.attachments, file, facts).record),
    ]),
  }
}

function fromFernhill(): PrivateThings {
  const file = { id: 4, file_name: 'a.pdf', content_type: 'application/pdf', size: 3, url: 'https://desk.example/4' }
  const comments = [false, undefined, 'yes'].map((isPublic) => ({
    id: 3,
    ticket_id: 1,
    body: 'x',
    public: isPublic,
    attachments: [file],
  }))
  const articles = ['draft', 'archived', 'in review', undefined].map((status) => ({ id: 2, title: 'x', status }))
  return {
    family: 'helpdesk',
    records: [
      ...comments.map((raw) => readRecord(deskComments, raw, undefined).record),
      ...comments.map((raw) => readRecord(deskFiles, file, readRecord(deskComments, raw, undefined).record).record),
      ...articles.map((raw) => readRecord(deskArticles, raw, undefined).record),
    ],
  }
}

async function fromCsv(): Promise<PrivateThings[]> {
  const desk = zipOf([
    { name: 'tickets.csv', content: 'id,subject,private\n1,x,yes\n2,x,perhaps\n' },
    { name: 'comments.csv', content: 'id,ticket,body,public\n1,1,x,no\n2,1,x,perhaps\n3,1,x,\n' },
    {
      name: 'articles.csv',
      content: 'id,title,status,visibility\n1,x,draft,public\n2,x,published,internal\n3,x,secret,\n',
    },
  ])
  const blog = zipOf([
    {
      name: 'posts.csv',
      content:
        'id,title,status,visibility\n1,x,draft,\n2,x,entwurf,\n3,x,,\n4,x,published,members\n5,x,published,friends\n',
    },
    { name: 'comments.csv', content: 'id,post,body,status\n1,1,x,hold\n2,1,x,unknown\n3,1,x,\n' },
  ])
  const read = async (family: Family, zip: Buffer, entities: string[]): Promise<PrivateThings> => {
    const upload = uploadOf('all.zip', zip)
    const all = await Promise.all(entities.map((entity) => readRecords(upload, entity, family)))
    return { family, records: all.flatMap(({ records }) => records) }
  }
  return [
    await read('helpdesk', desk, ['tickets', 'comments', 'articles']),
    await read('blog', blog, ['posts', 'comments']),
  ]
}

/** The restricted records of each source, or the reason why it has none. */
export const privateSources: Record<string, (() => PrivateThings[] | Promise<PrivateThings[]>) | string> = {
  csv: fromCsv,
  fernhill: () => [fromFernhill()],
  freshdesk: () => [fromFreshdesk()],
  ghost: () => [fromGhost()],
  helpscout: () => [fromHelpscout()],
  hubspot: () => [fromHubspot()],
  intercom: () => [fromIntercom()],
  pipedrive: () => [fromPipedrive()],
  redmine: () => [fromRedmine(), fromRedmineDesk()],
  rt: () => [fromRt()],
  tryton: 'whoever may see a party in Tryton sees its notes and files',
  wordpress: () => [fromWordpress()],
  zendesk: () => [fromZendesk()],
}
