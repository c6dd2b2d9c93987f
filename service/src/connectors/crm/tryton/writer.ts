import { ObstacleError, RetryableError } from '../../../errors.ts'
import { runBeside } from '../../../threads/run-beside.ts'
import type { Account, OutgoingRecord, Writer } from '../../contract/contract.ts'
import { familyEntity } from '../../kit/family-entity.ts'
import { openWriter, type WrittenEntity } from '../../kit/open-writer.ts'
import { matched } from '../../kit/outcomes.ts'
import type { Offer } from '../../kit/write-record.ts'
import { customFieldsToWrite } from './custom-fields.ts'
import { dealActs } from './deals.ts'
import * as fromFamily from './from-family.ts'
import { pageOfPeople } from './list-people.ts'
import { withLookUp } from './look-up.ts'
import { fileActs, noteActs } from './notes.ts'
import { partyActs } from './parties.ts'
import { preflightTryton } from './preflight.ts'
import { TrytonRefusal } from './read-answer.ts'
import { relationshipActs } from './relationships.ts'
import { removeSides } from './sides.ts'
import { fixedStates, pipelineId, stateFor } from './states.ts'
import { tagActs } from './tags.ts'
import { openAccount } from './tryton.ts'

const usersPerPage = 200
const beside = runBeside(new URL('./from-family.ts', import.meta.url).href, fromFamily)

/** An entity with the family's fields that Tryton accepts: all but those in `without`. */
const taken = (
  name: string,
  acts: Omit<WrittenEntity, 'declared'>,
  offer: Offer = {},
  without: readonly string[] = [],
): WrittenEntity => ({
  declared: familyEntity('crm', name, without),
  offer: { required: 'family', customFields: customFieldsToWrite[name] ?? [], ...offer },
  asStored: (content) => beside('storedContent', name, content),
  ...acts,
})

/** Every pipeline is matched to Tryton's only pipeline, and every stage to a state. */
const matching = (idOf: (record: OutgoingRecord) => string): Omit<WrittenEntity, 'declared'> => ({
  write: async (records) => records.map((record) => matched(record.key, idOf(record), null)),
  find: async () => [],
})

export function openTrytonWriter(account: Account): Writer {
  const tryton = withLookUp(openAccount(account))
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
      const language = { type: 'option' as const, options: [...(await tryton.languages()).values()] }
      const fields = { emails: { isDetailed: true }, phones: { isDetailed: true }, language }
      const hasRelations = await tryton.has('party.relation.all')
      const partiesWithout = (link: string) => (hasRelations ? ['owner'] : ['owner', link])
      const alike = { kind: 'relationship', by: ['from', 'to', 'type'], isExact: true }
      const pipelines = matching(() => pipelineId)
      const stages = matching(({ fields: { name, outcome } }) =>
        stateFor(fromFamily.textOf(name), fromFamily.textOf(outcome)),
      )
      return {
        tags: taken('tags', tagActs(tryton), { unites: { kind: 'category', by: ['name'], isExact: true } }),
        accounts: taken('accounts', partyActs(tryton, 'accounts'), { fields }, partiesWithout('parent_account')),
        contacts: taken('contacts', partyActs(tryton, 'contacts'), { fields }, partiesWithout('accounts')),
        ...(hasRelations && { relationships: taken('relationships', relationshipActs(tryton), { unites: alike }) }),
        ...((await tryton.has('sale.opportunity')) && {
          pipelines: taken('pipelines', pipelines, { removal: 'never', unites: { kind: 'pipeline', by: [] } }),
          stages: taken('stages', stages, {
            removal: 'never',
            unites: { kind: 'stage', by: ['name', 'outcome'], fixed: fixedStates },
          }),
          // An opportunity has one contact person.
          deals: taken('deals', dealActs(tryton), {
            fields: { lost_reason: { type: 'long_text' }, contacts: { many: false } },
          }),
        }),
        activities: taken('activities', noteActs(tryton, 'activities'), { fields: { related: { required: true } } }),
        notes: taken('notes', noteActs(tryton, 'notes')),
        attachments: taken('attachments', fileActs(tryton), {}, [
          'content_type',
          'is_inline',
          'is_private',
          'description',
        ]),
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
