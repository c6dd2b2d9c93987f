import Type from 'typebox'
import { Check } from 'typebox/value'
import type { PreflightCheck } from '../../contract/contract.ts'
import type { Tryton } from './tryton.ts'

const right = Type.Union([Type.Boolean(), Type.Integer()])
const access = Type.Record(Type.String(), Type.Object({ create: right, write: right, delete: right }))

/** What should hold before the first record is written. */
export async function preflightTryton(tryton: Tryton): Promise<PreflightCheck[]> {
  const models = await tryton.models()
  const hasDeals = models.has('sale.opportunity')
  const { company } = await tryton.preferences()
  const employees = (await tryton.people()).filter(({ companyId }) => companyId !== null && companyId === company)
  const countries = (await tryton.countries()).size
  const parties = await tryton.count('party.party', [])
  const rights = await missingRights(tryton, [
    'party.party',
    'party.category',
    ...(hasDeals ? ['sale.opportunity'] : []),
  ])
  const mayNumber = (await missingRights(tryton, ['ir.sequence'])).length === 0
  return [
    {
      code: 'may_write',
      isFine: rights.length === 0,
      isBlocking: true,
      message:
        rights.length === 0
          ? 'This user may create, change and delete what is imported.'
          : `This user may not create, change and delete ${rights.join(' and ')}.`,
      fix: 'Connect Tryton with a user of the groups "Party Administration" and "Sales", or give these groups to this user.',
    },
    {
      code: 'opportunities_installed',
      isFine: hasDeals,
      isBlocking: false,
      message: hasDeals ? 'Tryton can take deals.' : 'Tryton has no opportunities, so deals stay behind.',
      fix: 'Activate the module "sale_opportunity" in Tryton, if you want your deals there.',
    },
    {
      code: 'relations_installed',
      isFine: models.has('party.relation.all'),
      isBlocking: false,
      message: models.has('party.relation.all')
        ? 'Tryton can say who works for whom.'
        : 'Tryton cannot say who works for whom, so people come without their organisation.',
      fix: 'Activate the module "party_relationship" in Tryton.',
    },
    {
      code: 'company_chosen',
      isFine: !hasDeals || company !== null,
      isBlocking: false,
      message:
        company === null
          ? 'This user works for no company, and every deal needs one.'
          : 'Deals go to this user’s company.',
      fix: 'Choose a company in the preferences of this user.',
    },
    {
      code: 'employees_there',
      isFine: !hasDeals || employees.length > 0,
      isBlocking: false,
      message:
        employees.length > 0
          ? 'Deals can be given to employees.'
          : 'The company has no employees: open deals become leads, and deals that were won are refused.',
      fix: 'Add the people who own deals as employees of the company, with their e-mail addresses.',
    },
    {
      code: 'countries_loaded',
      isFine: countries > 0,
      isBlocking: false,
      message:
        countries > 0
          ? 'Countries are there.'
          : 'Tryton knows no countries yet; those of your addresses will be added.',
      fix: 'Run trytond_import_countries to have all of them with their regions.',
    },
    {
      code: 'numbers_free',
      isFine: mayNumber,
      isBlocking: false,
      message: mayNumber
        ? `${parties} parties are there; a party whose code is taken comes with some letters after it.`
        : 'This user may not move the numbering of parties on: numbers that are brought along may meet it later.',
      fix: 'After the import set the next number of the sequence "Party" above the largest number that came.',
    },
  ]
}

async function missingRights(tryton: Tryton, models: readonly string[]): Promise<string[]> {
  const rights = await tryton.call('model.ir.model.access.get_access', [models])
  // A version that does not tell is asked by writing.
  if (!Check(access, rights)) return []
  return models.filter((model) => {
    const own = rights[model]
    return own !== undefined && !(own.create && own.write && own.delete)
  })
}
