import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { encodeCursor, type ListQuery } from './query-parameters.ts'
import type { AttachmentRow, Entity, Rows } from './rows.ts'

export const ENTITIES: readonly Entity[] = [
  'organizations',
  'contacts',
  'agents',
  'groups',
  'tickets',
  'comments',
  'attachments',
  'categories',
  'articles',
  'ticket_fields',
]

/**
 * Seeded texts contain this address. It is replaced when they are read, so links stay valid if the desk's port
 * changes.
 */
export const DESK_PLACEHOLDER = 'https://desk.invalid'

const ATTACHMENT_COLUMNS =
  'id, comment_id, ticket_id, file_name, content_type, size, sha256, inline, created_at, updated_at'

export interface Page {
  data: object[]
  next: string | null
  total: number
}

/** All queries of the desk. They return rows in the form of the API. */
export function createRecords(db: DatabaseSync, publicUrl: () => string) {
  const prepared = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    const statement = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }

  const all = <E extends Entity>(_entity: E, sql: string, ...values: SQLInputValue[]): Rows[E][] =>
    prepare(sql).all(...values) as unknown as Rows[E][]

  const count = (from: string, ...values: SQLInputValue[]): number =>
    Number(prepare(`SELECT count(*) AS n FROM ${from}`).get(...values)?.n)

  const withLinks = (text: string) => text.replaceAll(DESK_PLACEHOLDER, publicUrl())

  const attachmentsOf = (commentId: number) =>
    all('attachments', `SELECT ${ATTACHMENT_COLUMNS} FROM attachments WHERE comment_id = ? ORDER BY id`, commentId)

  const present: { [E in Entity]: (row: Rows[E]) => object } = {
    organizations: ({ domains, ...row }) => ({ ...row, domains: JSON.parse(domains) }),
    contacts: ({ emails, phones, ...row }) => ({ ...row, emails: JSON.parse(emails), phones: JSON.parse(phones) }),
    agents: ({ group_ids, deleted_at, ...row }) => ({
      ...row,
      group_ids: JSON.parse(group_ids),
      deleted: deleted_at !== null,
    }),
    groups: (row) => row,
    tickets: ({ description, cc, tags, custom_fields, ...row }) => ({
      ...row,
      description: withLinks(description),
      cc: JSON.parse(cc),
      tags: JSON.parse(tags),
      custom_fields: JSON.parse(custom_fields),
      comment_count: count('comments WHERE ticket_id = ?', row.id),
      url: `${publicUrl()}/tickets/${row.number}`,
    }),
    comments: ({ body, ...row }) => ({
      ...row,
      public: row.public === 1,
      body: withLinks(body),
      attachments: attachmentsOf(row.id).map(presentAttachment),
    }),
    attachments: presentAttachment,
    categories: (row) => row,
    articles: ({ labels, body, ...row }) => ({
      ...row,
      body: withLinks(body),
      labels: JSON.parse(labels),
      url: `${publicUrl()}/articles/${row.id}`,
    }),
    ticket_fields: ({ options, ...row }) => ({ ...row, required: row.required === 1, options: JSON.parse(options) }),
  }

  function presentAttachment({ content: _content, ...row }: AttachmentRow) {
    return {
      ...row,
      inline: row.inline === 1,
      url: `${publicUrl()}/attachments/${row.id}`,
      content_url: `${publicUrl()}/api/v1/attachments/${row.id}/content`,
    }
  }

  const columnsOf = (entity: Entity) => (entity === 'attachments' ? ATTACHMENT_COLUMNS : '*')

  return {
    all,
    count,
    withLinks,
    attachmentsOf,

    /** Lists and counts leave out deleted agents, but `one` still finds them. */
    list<E extends Entity>(entity: E, query: ListQuery, ticketId?: number): Page {
      const conditions = [entity === 'agents' ? 'deleted_at IS NULL' : 'true']
      const values: SQLInputValue[] = []
      if (ticketId !== undefined) {
        conditions.push('ticket_id = ?')
        values.push(ticketId)
      }
      if (query.updatedSince !== undefined) {
        conditions.push('updated_at >= ?')
        values.push(query.updatedSince)
      }
      if (query.ids !== undefined) {
        conditions.push(`id IN (${query.ids.map(() => '?').join(', ')})`)
        values.push(...query.ids)
      }
      const where = `${entity} WHERE ${conditions.join(' AND ')}`
      const rows = all(
        entity,
        `SELECT ${columnsOf(entity)} FROM ${where} AND id > ? ORDER BY id LIMIT ?`,
        ...values,
        query.afterId,
        query.limit + 1,
      )
      const page = rows.slice(0, query.limit)
      const last = page.at(-1)
      return {
        data: page.map(present[entity]),
        next: last && rows.length > page.length ? encodeCursor(last.id) : null,
        total: count(where, ...values),
      }
    },

    one<E extends Entity>(entity: E, id: number): object | undefined {
      const row = this.row(entity, id)
      return row && present[entity](row)
    },

    row<E extends Entity>(entity: E, id: number): Rows[E] | undefined {
      return all(entity, `SELECT ${columnsOf(entity)} FROM ${entity} WHERE id = ?`, id)[0]
    },

    /** Null if the bytes of the attachment are computed and not stored. */
    storedBytes(id: number): Uint8Array | null {
      const content = prepare('SELECT content FROM attachments WHERE id = ?').get(id)?.content
      return content instanceof Uint8Array ? content : null
    },

    counts(): Record<Entity, number> {
      const entries = ENTITIES.map((entity) => [
        entity,
        count(entity === 'agents' ? 'agents WHERE deleted_at IS NULL' : entity),
      ])
      return Object.fromEntries(entries)
    },
  }
}

export type Records = ReturnType<typeof createRecords>
