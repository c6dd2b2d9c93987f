import { ObstacleError, RetryableError } from '../../../errors.ts'
import { runBeside } from '../../../threads/run-beside.ts'
import type { Account, OutgoingRecord, Writer } from '../../contract/contract.ts'
import { familyEntity } from '../../kit/family-entity.ts'
import { openWriter, type WrittenEntity } from '../../kit/open-writer.ts'
import { matched } from '../../kit/outcomes.ts'
import type { Offer } from '../../kit/write-record.ts'
import { customFieldsToWrite } from './custom-fields.ts'
import { textOf } from './from-family.ts'
import { pageOfPeople } from './list-people.ts'
import { withLookUp } from './look-up.ts'
import { partyRules, removeParties, writeParties } from './parties.ts'
import type { Kind } from './party-kind.ts'
import { preflightTryton } from './preflight.ts'
import { TrytonRefusal } from './read-answer.ts'
import { removeRows } from './remove-rows.ts'
import { fileRules, sendFile } from './send-file.ts'
import { removeSides } from './sides.ts'
import { fixedStates, pipelineId, stateFor } from './states.ts'
import * as stored from './stored-content.ts'
import { openAccount } from './tryton.ts'
import { dealRules, removeDeals, writeDeals } from './write-deals.ts'
import { noteRules, writeNotes } from './write-notes.ts'
import { relationshipRules, toRowId, writeRelationships } from './write-relationships.ts'
import { removeTags, tagRules, writeTags } from './write-tags.ts'

const usersPerPage = 200
const beside = runBeside(new URL('./stored-content.ts', import.meta.url).href, stored)

/** The family's fields that Tryton accepts: all but those in `without`. */
const taken = (name: string, offer: Offer = {}, without: readonly string[] = []) => ({
  declared: familyEntity('crm', name, without),
  offer: { required: 'family', customFields: customFieldsToWrite[name] ?? [], ...offer } satisfies Offer,
  asStored: ((content) => beside('storedContent', name, content)) satisfies WrittenEntity['asStored'],
})

/** Every pipeline is matched to Tryton's only pipeline, and every stage to a state. */
const fixed = (name: string, unites: Offer['unites'], idOf: (record: OutgoingRecord) => string): WrittenEntity => ({
  ...taken(name, { removal: 'never', ...(unites && { unites }) }),
  write: async (records) => records.map((record) => matched(record.key, idOf(record), null)),
  find: async () => [],
})

export function openTrytonWriter(account: Account): Writer {
  const tryton = withLookUp(openAccount(account))
  const notes = (name: string, offer?: Offer): WrittenEntity => ({
    ...taken(name, offer),
    write: (records) => writeNotes(tryton, name, records),
    look: () => noteRules(tryton),
    remove: (records) => removeRows(tryton, { ...noteRules(tryton), model: 'ir.note' }, records),
  })
  const parties = (kind: Kind, without: readonly string[], languages: Iterable<string>): WrittenEntity => ({
    ...taken(
      kind,
      {
        fields: {
          emails: { isDetailed: true },
          phones: { isDetailed: true },
          language: { type: 'option', options: [...languages] },
        },
      },
      without,
    ),
    write: (records) => writeParties(tryton, kind, records),
    look: (sought) => partyRules(tryton, kind, sought),
    remove: (records) => removeParties(tryton, kind, records),
  })
  const relationships: WrittenEntity = {
    ...taken('relationships', { unites: { kind: 'relationship', by: ['from', 'to', 'type'], isExact: true } }),
    write: (records) => writeRelationships(tryton, records),
    look: () => relationshipRules(tryton),
    remove(records) {
      const rows = { model: 'party.relation.all', toRowId, hasTimestamps: false }
      return removeRows(tryton, { ...relationshipRules(tryton), ...rows }, records)
    },
  }
  const deals: WrittenEntity = {
    // An opportunity has one contact person.
    ...taken('deals', { fields: { lost_reason: { type: 'long_text' }, contacts: { many: false } } }),
    write: (records) => writeDeals(tryton, records),
    look: () => dealRules(tryton),
    remove: (records) => removeDeals(tryton, records),
  }
  const writer = openWriter('Tryton', {
    describe: async () => ({
      account: { name: await tryton.name() },
      textFormat: 'plain',
      maxFileBytes: null,
      capabilities: {
        deliveryClass: 'C',
        delete: true,
        silentCreate: true,
        backdate: false,
        createField: false,
        batchSize: 100,
        concurrency: 2,
        settleMs: 0,
      },
    }),
    /** The entities depend on the installed modules. */
    async entities() {
      const languages = (await tryton.languages()).values().toArray()
      const hasRelations = await tryton.has('party.relation.all')
      return {
        tags: {
          ...taken('tags', { unites: { kind: 'category', by: ['name'], isExact: true } }),
          write: (records) => writeTags(tryton, records),
          look: () => tagRules(tryton),
          remove: (records) => removeTags(tryton, records),
        },
        accounts: parties('accounts', ['owner', ...(hasRelations ? [] : ['parent_account'])], languages),
        contacts: parties('contacts', ['owner', ...(hasRelations ? [] : ['accounts'])], languages),
        ...(hasRelations && { relationships }),
        ...((await tryton.has('sale.opportunity')) && {
          pipelines: fixed('pipelines', { kind: 'pipeline', by: [] }, () => pipelineId),
          stages: fixed('stages', { kind: 'stage', by: ['name', 'outcome'], fixed: fixedStates }, ({ fields }) =>
            stateFor(textOf(fields.name), textOf(fields.outcome)),
          ),
          deals,
        }),
        activities: notes('activities', { fields: { related: { required: true } } }),
        notes: notes('notes'),
        attachments: {
          ...taken('attachments', {}, ['content_type', 'is_inline', 'is_private', 'description']),
          writeFile: (file) => sendFile(tryton, file),
          look: () => fileRules(tryton),
          remove: (records) => removeRows(tryton, { ...fileRules(tryton), model: 'ir.attachment' }, records),
        },
      }
    },
    preflight: () => preflightTryton(tryton),
    /** Lists only employees: nobody else can own a deal. */
    users: async (cursor) => pageOfPeople(await tryton.colleagues(), cursor, usersPerPage),
    removeSides: (records, { isForced }) => reporting(() => removeSides(tryton, records, isForced)),
  })
  return {
    ...writer,
    write: (entity, records) => reporting(() => writer.write(entity, records)),
    find: (entity, records) => reporting(() => writer.find(entity, records)),
    remove: (entity, records) => reporting(() => writer.remove(entity, records)),
  }
}

/** A refusal that no record's outcome covers is about missing rights. */
async function reporting<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof TrytonRefusal)) throw error
    if (error.kind !== 'refused') throw new RetryableError('Tryton stumbled over a request')
    throw new ObstacleError(
      'not_permitted',
      'customer',
      'Tryton refuses records that the import needs in addition: notes, relation types or categories. Please connect it with a user who may create these.',
    )
  }
}
