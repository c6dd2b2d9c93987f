import Type from 'typebox'
import { Check } from 'typebox/value'
import { ObstacleError, RetryableError } from '../../../errors.ts'
import { runBeside } from '../../../threads/run-beside.ts'
import type { Account, OutgoingRecord, PreflightCheck, Writer } from '../../contract/contract.ts'
import { familyEntity } from '../../kit/family-entity.ts'
import { storedPart } from '../../kit/found-parts.ts'
import { openWriter, type WrittenEntity } from '../../kit/open-writer.ts'
import { matched } from '../../kit/outcomes.ts'
import { preflightCheck } from '../../kit/preflight-check.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import type { Offer } from '../../kit/write-record.ts'
import { TrytonRefusal } from './api.ts'
import { dealActs } from './deals.ts'
import * as fromFamily from './from-family.ts'
import { fileActs, noteActs } from './notes.ts'
import { partyActs, relationshipActs } from './parties.ts'
import { removeSide, tagActs } from './sides.ts'
import { fixedStates, pipelineId, stateFor } from './states.ts'
import { customFieldsToWrite } from './to-family.ts'
import { openAccount, pageOfPeople, type Tryton, withLookUp } from './tryton.ts'

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
  asStored: async (content) => storedPart(await beside('storedFields', name, content)),
  ...acts,
})

/** Tryton has no place for these facts about a file. */
const factsOfFiles = ['content_type', 'is_inline', 'is_private', 'description']

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
        attachments: taken('attachments', fileActs(tryton), {}, factsOfFiles),
      }
    },
    preflight: () => preflightTryton(tryton),
    /** Lists only employees: nobody else can own a deal. */
    users: async (cursor) => pageOfPeople(await tryton.colleagues(), cursor, usersPerPage),
    removeSides: (records, { isForced }) =>
      reporting(() => sideBySide(records, 1, (record) => removeSide(tryton, record, isForced))),
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

const right = Type.Union([Type.Boolean(), Type.Integer()])
const access = Type.Record(Type.String(), Type.Object({ create: right, write: right, delete: right }))

export async function preflightTryton(tryton: Tryton): Promise<PreflightCheck[]> {
  const hasDeals = await tryton.has('sale.opportunity')
  const hasRelations = await tryton.has('party.relation.all')
  const { company } = await tryton.preferences()
  const employees = await tryton.colleagues()
  const countries = (await tryton.countries()).size
  const parties = await tryton.count('party.party', [])
  const written = ['party.party', 'party.category', ...(hasDeals ? ['sale.opportunity'] : [])]
  const rights = await missingRights(tryton, written)
  const mayNumber = (await missingRights(tryton, ['ir.sequence'])).length === 0
  return [
    preflightCheck('may_write', rights.length === 0, true, {
      fine: 'This user may create, change and delete what is imported.',
      amiss: `This user may not create, change and delete ${rights.join(' and ')}.`,
      fix: 'Connect Tryton with a user of the groups "Party Administration" and "Sales", or give these groups to this user.',
    }),
    preflightCheck('opportunities_installed', hasDeals, false, {
      fine: 'Tryton can take deals.',
      amiss: 'Tryton has no opportunities, so deals stay behind.',
      fix: 'Activate the module "sale_opportunity" in Tryton, if you want your deals there.',
    }),
    preflightCheck('relations_installed', hasRelations, false, {
      fine: 'Tryton can say who works for whom.',
      amiss: 'Tryton cannot say who works for whom, so people come without their organisation.',
      fix: 'Activate the module "party_relationship" in Tryton.',
    }),
    ...(hasDeals
      ? [
          preflightCheck('company_chosen', company !== null, false, {
            fine: 'Deals go to this user’s company.',
            amiss: 'This user works for no company, and every deal needs one.',
            fix: 'Choose a company in the preferences of this user.',
          }),
          preflightCheck('employees_there', employees.length > 0, false, {
            fine: 'Deals can be given to employees.',
            amiss: 'The company has no employees: open deals become leads, and deals that were won are refused.',
            fix: 'Add the people who own deals as employees of the company, with their e-mail addresses.',
          }),
        ]
      : []),
    preflightCheck('countries_loaded', countries > 0, false, {
      fine: 'Countries are there.',
      amiss: 'Tryton knows no countries yet; those of your addresses will be added.',
      fix: 'Run trytond_import_countries to have all of them with their regions.',
    }),
    preflightCheck('numbers_free', mayNumber, false, {
      fine: `${parties} parties are there; a party whose code is taken gets a few letters after its code.`,
      amiss: 'This user may not move the numbering of parties on: imported numbers may collide with later ones.',
      fix: 'After the import set the next number of the sequence "Party" above the largest imported number.',
    }),
  ]
}

async function missingRights(tryton: Tryton, models: readonly string[]): Promise<string[]> {
  const rights = await tryton.call('model.ir.model.access.get_access', [models])
  // A version without this answer reveals missing rights only when we write.
  if (!Check(access, rights)) return []
  return models.filter((model) => {
    const own = rights[model]
    return own !== undefined && !(own.create && own.write && own.delete)
  })
}
