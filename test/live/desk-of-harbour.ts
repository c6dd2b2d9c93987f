import { DatabaseSync } from 'node:sqlite'
import type { Ticket } from './compare-desks.ts'
import { type Fact, type Facts, keyOf, sha256, sortedTexts, words } from './facts.ts'
import type { LedgerRecord } from './pair-service.ts'

interface Row {
  id: number
  entity: string
  external_id: string
  fields: string
  custom_fields: string
  created_at: string
  upload: string | null
}

/** All records in Harbour's own database file, by entity and source id, in the order that Harbour shows. */
export function readHarbour(file: string): Map<string, Fact> {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = db
      .prepare(
        'select id, entity, external_id, fields, custom_fields, created_at, upload from records order by created_at, id',
      )
      .all()
    const bytes = db.prepare('select bytes from chunks where upload = ? order by position')
    return new Map(
      (rows as unknown as Row[]).map(({ id, entity, external_id, fields, custom_fields, created_at, upload }) => {
        const chunks = upload === null ? [] : (bytes.all(upload) as { bytes: Uint8Array }[])
        const sha = upload === null ? null : sha256(Buffer.concat(chunks.map((chunk) => chunk.bytes)))
        const fact = { ...JSON.parse(fields), created_at, sha, file: `/files/${id}`, custom: customOf(custom_fields) }
        return [keyOf(entity, sourceIdOf(external_id)), fact]
      }),
    )
  } finally {
    db.close()
  }
}

/** Custom values by label, one entry for each value, written as tools without types do. */
function customOf(json: string): string[] {
  const fields = Object.values(JSON.parse(json)) as { label: string; value: unknown }[]
  return sortedTexts(
    fields.flatMap(({ label, value }) =>
      [value].flat().map((one) => [label, one === true ? '1' : String(one).replace(/\r\n?/g, '\n')]),
    ),
  )
}

/**
 * Ledger records in which the destination id is the source id, because Harbour's records are compared by source ids.
 */
export const selfIds = (records: readonly LedgerRecord[]): LedgerRecord[] =>
  records.map((row) => ({ ...row, destination_id: row.source_id }))

export const sourceIdOf = (externalId: unknown): string => String(externalId).split('/').slice(2).join('/')

/** Tickets of Harbour in the form in which desks are compared. */
export function deskOfHarbour(facts: Facts): Facts {
  const all = (entity: string) => [...facts].filter(([key]) => key.startsWith(`${entity} `))
  const named = (entity: string, id: unknown) => facts.get(keyOf(entity, sourceIdOf(id))) ?? {}
  const comments = Map.groupBy(all('comments'), ([, { ticket }]) => sourceIdOf(ticket))
  const files = Map.groupBy(all('attachments'), ([, { parent }]) => {
    const id = sourceIdOf(parent)
    const comment = String(parent).includes('/comments/') ? facts.get(keyOf('comments', id)) : undefined
    return comment ? sourceIdOf(comment.ticket) : id
  })
  return new Map(
    all('tickets').map(([key, ticket]): [string, Ticket] => {
      const id = key.split(' ')[1] ?? ''
      const mails = [ticket.requester, ...((ticket.collaborators as unknown[]) ?? [])]
        .filter(Boolean)
        .flatMap((person) => (named('contacts', person).emails as string[] | undefined)?.[0]?.toLowerCase() ?? [])
      const numbers = (ids: unknown) => ((ids as unknown[]) ?? []).map((one) => Number(sourceIdOf(one)))
      const made = (at: unknown) =>
        String(at ?? '')
          .slice(0, 16)
          .replace('T', ' ')
      return [
        key,
        {
          subject: String(ticket.subject),
          text: textOf(ticket.description),
          line: '',
          status: String(ticket.status),
          priority: String(ticket.priority ?? ''),
          group: String(named('groups', ticket.group).name),
          assignee: null,
          people: [...new Set(mails)].sort(),
          due: ticket.due_at ? String(ticket.due_at).slice(0, 10) : null,
          parent: ticket.parent_ticket ? Number(sourceIdOf(ticket.parent_ticket)) : null,
          dependsOn: numbers(ticket.depends_on),
          linked: numbers(ticket.linked_tickets),
          custom: ticket.custom as string[],
          made: made(ticket.created_at),
          author: null,
          names: [],
          thread: (comments.get(id) ?? []).map(([, comment]) => ({
            text: textOf(comment.body),
            line: '',
            isPublic: comment.is_public === true,
            author: null,
            names: [],
            made: made(comment.created_at),
          })),
          files: sortedTexts((files.get(id) ?? []).map(([, file]) => ({ name: file.file_name, sha: file.sha }))),
        },
      ]
    }),
  )
}

const textOf = (html: unknown): string => words(String(html ?? '').replace(/#\d+/g, ' '), 'html')
