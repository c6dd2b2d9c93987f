import { startFernhill } from '../../../demo/fernhill/fernhill.ts'
import { fernhill } from '../../../service/src/connectors/helpdesk/fernhill/index.ts'
import { deskEntities, deskKey } from '../../connectors/desk-account.ts'
import type { Twin } from '../../connectors/twin-contract.ts'

/** Fernhill Desk itself: a tool of our demo that runs on this machine, so it needs no imitation. */
export async function startTwin(): Promise<Twin> {
  const desk = await startFernhill({
    port: 0,
    dataFile: ':memory:',
    apiKey: deskKey,
    tickets: 200,
    requestsPerSecond: 0,
  })
  return {
    access: { instanceUrl: desk.url, token: deskKey },
    source: {
      family: 'helpdesk',
      entities: deskEntities,
      fields: {
        groups: ['name', 'description', 'agents'],
        organizations: ['name', 'domains', 'notes'],
        contacts: ['name', 'emails', 'phones', 'language', 'notes', 'organization'],
        tickets: [
          'number',
          'subject',
          'description',
          'type',
          'status',
          'priority',
          'channel',
          'requester',
          'assignee',
          'group',
          'tags',
          'organization',
          'due_at',
        ],
        comments: ['ticket', 'author_agent', 'body', 'is_public', 'author_contact'],
        categories: ['name', 'description', 'position'],
        articles: ['title', 'body', 'status', 'category', 'author', 'locale', 'labels', 'position', 'url'],
        attachments: ['parent', 'file_name', 'content_type', 'size', 'is_inline', 'is_private', 'uploaded_by'],
      },
      missing: Object.fromEntries((fernhill.source?.tellsDeleted ?? []).map((entity) => [entity, '999999'])),
    },
    close: () => desk.close(),
  }
}
