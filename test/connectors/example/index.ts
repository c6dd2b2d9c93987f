import type { Account, Connector } from '../../../service/src/connectors/contract/contract.ts'
import type { Kit, MadeField, Query, RawRecord, Walk } from '../../../service/src/connectors/kit/index.ts'

/** Larch, a help desk that does not exist. It is written from docs/connectors.md, like a connector from outside. */
export default (kit: Kit): Connector => {
  const { Type, is } = kit
  const { contacts, tickets, comments } = entitiesOf(kit)
  const entities = [contacts, tickets, comments].map(({ name }) => name)

  const connect = (account: Account) => {
    const http = kit.openHttp(account, {
      label: 'Larch',
      base: (access) => `${kit.instance(access)}/api`,
      signIn: kit.basic(
        ({ username }) => String(username),
        ({ token }) => String(token),
      ),
    })
    const list = (path: string, query: Query = {}): Walk<RawRecord> =>
      kit.byLink(
        (asked) => http.ask(path, asked),
        (json) => kit.checkShape('Larch', Type.Array(Type.Object({ id: Type.String() })), json, path) as RawRecord[],
        (size) => ({ per_page: size, ...query }),
      )
    return { http, list }
  }

  return {
    tool: 'larch',
    label: 'Larch',
    families: ['helpdesk'],
    movesBetweenInstances: false,
    source: {
      requires: ['instanceUrl', 'username', 'token'],
      warns: ['field_unreadable', 'required_empty'],
      checkAccount: (account) =>
        kit.checkAccess('Larch does not accept this password.', () =>
          connect(account).http.get('/me', Type.Object({ name: Type.String() })),
        ),
      open(account) {
        const { list } = connect(account)
        const messagesOf = (id: string) => list(`/cases/${encodeURIComponent(id)}/messages`)
        const cases = (since?: string) => list('/cases', { changed_since: since })
        const caseIds =
          (since?: string): Walk<string> =>
          async (cursor, size) => {
            const { items, next } = await cases(since)(cursor, size)
            return { items: items.map(({ id }) => String(id)), next }
          }
        const names = { key: 'name', label: 'name', type: 'kind', choices: 'choices' }
        const fields = async () =>
          kit.madeFields(await kit.readAll(list('/fields'), 50), names, { choice: { type: 'option' } })
        const lists = [
          kit.listed(contacts, ({ since }) => list('/people', { changed_since: since }), kit.alone),
          kit.listed(tickets, ({ since }) => cases(since), fields),
          kit.listed(comments, ({ since }) => kit.underParents(caseIds(since), messagesOf), kit.alone),
        ]
        // Larch cannot return single records by id.
        const { read, customFields } = kit.readLists('Larch', lists, 50)
        return {
          read,
          customFields,
          count: async () => Object.fromEntries(entities.map((name) => [name, null])),
          async users(cursor) {
            const { items, next } = await list('/staff')(cursor, 50)
            const shape = { name: Type.String(), mail: Type.String() }
            const people = items.map((raw) => ({ id: String(raw.id), ...kit.takeFields(shape, raw) }))
            return {
              items: people.map(({ id, name = id, mail = null }) => ({ id, name, email: mail, isActive: true })),
              next,
            }
          },
          openFile: async () => {
            throw new kit.FileMissingError('Larch has no files')
          },
        }
      },
    },
  }

  function entitiesOf({ defineEntity }: Kit) {
    const stamps = { createdAt: is.moment('made'), updatedAt: is.moment('changed') }
    const isStaff = (raw: Readonly<Record<string, unknown>>) => raw.by_staff === true
    return {
      contacts: defineEntity('helpdesk', 'contacts', {
        ...stamps,
        fields: { name: is.text('full_name'), emails: is.emails('mails') },
      }),
      tickets: defineEntity<ReadonlyMap<string, MadeField>>('helpdesk', 'tickets', {
        ...stamps,
        fields: {
          subject: is.text('title'),
          status: is.option('state', { 1: 'open', 2: 'closed' }),
          requester: is.reference('requester', 'contacts'),
          assignee: is.person('owner'),
        },
        custom: {
          from: 'fields',
          check: Type.Array(Type.Object({ name: Type.String(), value: Type.Unknown() })),
          entries: (value) => (value as { name: string; value: unknown }[]).map((one) => [one.name, one.value]),
          fields: (known) => known,
        },
      }),
      comments: defineEntity('helpdesk', 'comments', {
        createdAt: is.moment('made'),
        createdBy: is.person('author', { when: isStaff }),
        also: { by_staff: Type.Boolean() },
        fields: {
          ticket: is.reference('case', 'tickets'),
          body: is.richText('text', 'markdown'),
          author_agent: is.person('author', { when: isStaff }),
          author_contact: is.reference('author', 'contacts', { when: (raw) => raw.by_staff === false }),
          is_public: kit.lens('boolean', {
            from: 'internal',
            check: Type.Boolean(),
            absent: false,
            read: (isInternal) => !isInternal,
          }),
        },
      }),
    }
  }
}
