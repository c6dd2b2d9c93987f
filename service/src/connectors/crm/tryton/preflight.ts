import Type from 'typebox'
import { Check } from 'typebox/value'
import type { PreflightCheck } from '../../contract/contract.ts'
import type { Tryton } from './tryton.ts'

const right = Type.Union([Type.Boolean(), Type.Integer()])
const access = Type.Record(Type.String(), Type.Object({ create: right, write: right, delete: right }))

/** Checks that run before the first record is written. */
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
  const checks: Record<string, [isFine: boolean, message: string, fix: string]> = {
    may_write: [
      rights.length === 0,
      rights.length === 0
        ? 'This user may create, change and delete what is imported.'
        : `This user may not create, change and delete ${rights.join(' and ')}.`,
      'Connect Tryton with a user of the groups "Party Administration" and "Sales", or give these groups to this user.',
    ],
    opportunities_installed: [
      hasDeals,
      hasDeals ? 'Tryton can take deals.' : 'Tryton has no opportunities, so deals stay behind.',
      'Activate the module "sale_opportunity" in Tryton, if you want your deals there.',
    ],
    relations_installed: [
      hasRelations,
      hasRelations
        ? 'Tryton can say who works for whom.'
        : 'Tryton cannot say who works for whom, so people come without their organisation.',
      'Activate the module "party_relationship" in Tryton.',
    ],
    company_chosen: [
      !hasDeals || company !== null,
      company === null
        ? 'This user works for no company, and every deal needs one.'
        : 'Deals go to this user’s company.',
      'Choose a company in the preferences of this user.',
    ],
    employees_there: [
      !hasDeals || employees.length > 0,
      employees.length > 0
        ? 'Deals can be given to employees.'
        : 'The company has no employees: open deals become leads, and deals that were won are refused.',
      'Add the people who own deals as employees of the company, with their e-mail addresses.',
    ],
    countries_loaded: [
      countries > 0,
      countries > 0 ? 'Countries are there.' : 'Tryton knows no countries yet; those of your addresses will be added.',
      'Run trytond_import_countries to have all of them with their regions.',
    ],
    numbers_free: [
      mayNumber,
      mayNumber
        ? `${parties} parties are there; a party whose code is taken gets a few letters after its code.`
        : 'This user may not move the numbering of parties on: imported numbers may collide with later ones.',
      'After the import set the next number of the sequence "Party" above the largest imported number.',
    ],
  }
  return Object.entries(checks).map(([code, [isFine, message, fix]]) => {
    return { code, isFine, isBlocking: code === 'may_write', message, fix }
  })
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
