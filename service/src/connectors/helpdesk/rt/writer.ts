import type { Account, Writer } from '../../contract/contract.ts'
import { once } from '../../kit/once.ts'
import { writeEach } from '../../kit/write-each.ts'
import { type AccountFacts, readAccountFacts } from './account-facts.ts'
import { createRtApi } from './api.ts'
import { describeAccount } from './describe.ts'
import { findRecords } from './find.ts'
import { listAgents, readPeople } from './list-people.ts'
import { commentForms, ticketForms } from './long-forms.ts'
import { storedPerson } from './people-forms.ts'
import { repairDates } from './post-messages.ts'
import { checkBeforehand } from './preflight.ts'
import { removeRecords } from './remove.ts'
import { sendFile, storedFile } from './send-file.ts'
import { openWebPages } from './web-pages.ts'
import { writeComments } from './write-comments.ts'
import { writeContact, writeGroup, writeOrganization } from './write-people.ts'
import { writeTickets } from './write-tickets.ts'

const usersAtOnce = 100

export function openWriter(account: Account): Writer {
  const api = createRtApi(account)
  const pages = openWebPages(account)
  let known: AccountFacts | null = null
  const readFacts = once(async () => {
    known = await readAccountFacts(api)
    return known
  })
  const people = once(() => readPeople(api))
  const contextOf = async () => ({ api, pages, facts: await readFacts(), notes: account.leftovers })

  return {
    describe: async () => describeAccount(api.base, await readFacts()),
    users: async (cursor) => listAgents(api, (await people()).agents, cursor, usersAtOnce),

    async write(entity, records) {
      const context = await contextOf()
      if (entity === 'tickets') return writeTickets(context, records)
      if (entity === 'comments') return writeComments(context, records)
      return writeEach(records, async (record) => {
        if (entity === 'organizations') return writeOrganization(record)
        if (entity === 'contacts') return writeContact(context, record)
        if (entity === 'groups') return writeGroup(context, record)
        throw new Error(`Request Tracker takes no ${entity}`)
      })
    },

    writeFile: async (_entity, file) => sendFile(await contextOf(), file),
    find: async (entity, records) => findRecords(await contextOf(), entity, records),

    remove: async (entity, records) => removeRecords(await contextOf(), entity, records),

    asStored(entity, content) {
      // The result depends on the account's queues and fields, which `describe` reads.
      if (!known) throw new Error('asStored needs the description of the account')
      if (entity === 'tickets') return ticketForms('storedOfContent', content, known)
      if (entity === 'comments') return commentForms('storedComment', content)
      if (entity === 'attachments') return storedFile(content)
      if (entity === 'contacts' || entity === 'groups') return storedPerson(entity, content, known)
      return { fields: { name: content.fields.name }, customFields: {}, createdAt: null, updatedAt: null }
    },

    async restore(items) {
      const dates = items.filter(({ kind }) => kind === 'ticket_dates')
      await repairDates(api, dates)
      return dates
    },

    preflight: async () => checkBeforehand(await contextOf(), String(account.access.token)),
  }
}
