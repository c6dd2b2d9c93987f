import { families } from '../../families/index.ts'
import { entitiesOf, namesOf } from './entity-names.ts'
import { fieldNames, ownNames } from './field-names.ts'

/** The part of docs/csv.md that lists the recognized names. */
export function namesPage(): string {
  const code = (names: readonly string[]) => [...new Set(names)].map((name) => `\`${name}\``).join(', ')
  const files = families.map((family) => {
    const rows = entitiesOf(family).map(({ name }) => `| ${name} | ${code(namesOf(name))} |`)
    return [`| ${family} | a file of this name holds them |`, '|---|---|', ...rows].join('\n')
  })
  const known = new Set(families.flatMap((family) => entitiesOf(family).flatMap(({ fields }) => Object.keys(fields))))
  const columns = Object.entries({ ...ownNames, ...fieldNames })
    .filter(([field]) => known.has(field) || Object.hasOwn(ownNames, field))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([field, names]) => `| ${field} | ${code([field, ...names])} |`)
  return [...files, ['| field | names of its column |', '|---|---|', ...columns].join('\n')].join('\n\n')
}
