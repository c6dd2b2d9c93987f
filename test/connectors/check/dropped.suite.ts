import { alder, lensesOfAlder } from '../../twins/alder/connector.ts'
import { skips, startTwin } from '../../twins/alder/twin.ts'
import { describeConnector } from '../connector-contract.ts'

// dropped-fields.long.test.ts runs this file: the suites against an intact connector, and against copies with one
// spoiled lens.

const given = (family: 'crm' | 'project') => ({ start: () => startTwin(family), reads: true, writes: true, skips })
for (const family of ['crm', 'project'] as const) describeConnector(alder(family), `whole ${family}`, given(family))
for (const { family, entity, field, damages } of lensesOfAlder) {
  for (const damage of damages) {
    // A field that is declared, but not sent or not compared, is still read.
    const reads = damage === 'undeclared'
    const connector = alder(family, { entity, field, damage })
    describeConnector(connector, `${entity}.${field} ${damage}`, { ...given(family), reads })
  }
}
