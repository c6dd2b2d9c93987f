import type { Account, OutgoingRecord, PreflightCheck, WriteOutcome, Writer } from '../../contract/contract.ts'
import { among } from '../../kit/find.ts'
import { noKey } from '../../kit/keys.ts'
import { type RawRecord, valueAt } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import { openWriter, type WrittenEntity } from '../../kit/open-writer.ts'
import { matched, refused } from '../../kit/outcomes.ts'
import { preflightCheck, tell } from '../../kit/preflight-check.ts'
import { removeShelvesAndFields } from '../../kit/side-shelves.ts'
import { toStored } from '../../kit/write-record.ts'
import { createIntercomApi, type IntercomApi, label, requestsAtOnce } from './api.ts'
import * as desk from './entities.ts'
import { lacking, textOf, toStates } from './look-around.ts'
import { openMoves } from './moves.ts'
import { openFields, ticketTypes } from './own-fields.ts'
import { listAdmins } from './reader.ts'
import { openRecall } from './recall.ts'
import { openShelves } from './shelves.ts'
import { putBackState } from './threads.ts'
import { readTags, tagKind } from './ticket-links.ts'
import { isWithheld } from './withheld.ts'
import { helpEntities } from './write-help.ts'
import { maxFileBytes, messageEntities } from './write-messages.ts'
import { peopleEntities } from './write-people.ts'
import { ticketEntity } from './write-tickets.ts'

export function openIntercomWriter(account: Account): Writer {
  const { sides, leftovers, signal } = account
  const api = createIntercomApi(account)
  const owner = once(async () => {
    const me = api.one((await api.http.ask('/me')).json)
    const name = textOf(valueAt(me, 'app.name')) ?? label
    return { me: String(me.id), name, workspace: textOf(valueAt(me, 'app.id_code')) ?? '' }
  })
  /** Whether the plan of the workspace includes this list. */
  const has = async (path: string) => !(await isWithheld(api, path, [403]))
  const hasTickets = once(() => has('/tickets/search'))

  return openWriter(label, {
    describe: async () => ({
      account: { name: (await owner()).name },
      textFormat: 'html',
      maxFileBytes,
      capabilities: {
        ...{ deliveryClass: 'C', delete: true, silentCreate: true, backdate: true, createField: true },
        ...{ batchSize: 15, concurrency: 3, requestsAtOnce, settleMs: 0 },
      },
    }),
    async entities() {
      const { me, workspace } = await owner()
      const states = toStates(await api.short('/ticket_states', 'data', {}, lacking))
      const context = {
        ...{
          api,
          workspace,
          me,
          states,
          leftovers,
          fields: openFields(api, sides),
          internal: openFields(api, sides, ticketTypes.internal),
          sides,
          moves: openMoves(sides),
          tags: once(() => readTags(api)),
        },
        tickets: { ...desk.tickets, fields: { ...desk.tickets.fields, status: desk.statusLens(states) } },
        recall: openRecall(sides, 'sent_message'),
      }
      const { organizations, contacts } = peopleEntities(context, signal)
      const { categories, articles } = helpEntities({
        ...{ api, me, recall: openRecall(sides, 'sent_article'), shelves: openShelves(api) },
      })
      return {
        groups: teamEntity(api),
        ...((await has('/companies/list')) && { organizations }),
        ...((await has('/contacts')) && { contacts }),
        ...((await hasTickets()) && { tickets: ticketEntity(context), ...messageEntities(context) }),
        ...((await has('/help_center/collections')) && { categories }),
        ...((await has('/articles')) && { articles }),
      }
    },
    users: () => listAdmins(api),
    namesPeople: true,
    /** Restores the states of tickets whose worker died before it could. */
    async restore(items) {
      for (const { ticket, state, open } of items) {
        await putBackState(api, String(ticket), { state: String(state), open: open === 1 })
      }
      return [...items]
    },
    async removeSides(records) {
      const url = `${api.site}/a/apps/${(await owner()).workspace}/settings`
      const outcomes = await removeShelvesAndFields(records, null, {
        isField: (kind) => !kind.startsWith('sent_'),
        url,
      })
      const message = 'Other records of this account may have this tag.'
      return outcomes.map((one) => (one.result === 'kept' && one.kind === tagKind ? { ...one, message } : one))
    },
    preflight: async () => checkBeforehand(await hasTickets()),
  })
}

function teamEntity(api: IntercomApi): WrittenEntity {
  const teams = async () => (await api.short('/teams', 'teams')) as RawRecord[]
  return {
    declared: desk.groups,
    offer: {
      required: ['name'],
      unites: { kind: 'group', by: ['name'] },
      capabilities: { backdate: false, silentCreate: true, concurrency: 1 },
    },
    write: async (records) => matchTeams(records, await teams()),
    look: () => ({
      byIds: among(teams),
      key: noKey,
      toFound: (raw) => ({ ...toStored(label, desk.groups, raw), version: null, url: null }),
    }),
  }
}

/** Matches teams by name, because Intercom's API cannot create teams. */
function matchTeams(records: readonly OutgoingRecord[], teams: readonly RawRecord[]): WriteOutcome[] {
  const named = (value: unknown) =>
    String(value ?? '')
      .trim()
      .toLowerCase()
  return records.map(({ key, fields, destinationId }) => {
    const same = teams.find(({ id, name }) =>
      destinationId === null ? named(name) === named(fields.name) : String(id) === destinationId,
    )
    return same
      ? matched(key, same.id, null)
      : refused(key, 'no_team', 'Intercom has no team of this name, and lets only people make teams.')
  })
}

const checkBeforehand = (hasTickets: boolean): PreflightCheck[] => [
  preflightCheck('tickets_in_plan', hasTickets, false, {
    fine: 'The workspace has tickets.',
    amiss: 'The plan of this Intercom workspace has no tickets.',
    fix: 'Choose a plan with tickets, or copy contacts, companies and articles only.',
  }),
  tell(
    'plain_tickets',
    'Intercom keeps descriptions of tickets and public replies as plain text. Formatting in them is lost; notes and articles keep it.',
  ),
  tell('files_in_notes', 'Files arrive in Intercom as notes. Teammates see them, customers do not.'),
]
