import { isFileEntity } from '../connectors/open/file-fields.ts'
import type { EntityDefinition, FieldDefinition } from '../families/definition.ts'
import { families, familyDefinitions } from '../families/index.ts'

const head = `# Families

A family is a kind of tools, such as help desks, with its entities and fields. Data moves between any two tools of a family.
A destination that implements [the open protocol](destination-protocol.md) accepts the entities and fields that it names in
\`describe\`, under the names below. The protocol describes the form of each type.

Entities are listed in the order of writing: a record is written after the records that it refers to. Relations marked
*later* can form circles or refer to later records; the record is written again with them at the end. Options have the names
of the family. A destination may have other names, and the customer matches them. Every record also has
\`created_at\`, \`updated_at\` and custom fields.

Fields marked *audience* decide who may see a record. Their values go from the most readers to the fewest. A
record without such a value is visible to everyone who sees its parent. A destination that names such a field
promises to obey it; see [who may see a record](destination-protocol.md#who-may-see-a-record).

An account may accept several families. An entity that two families have in common, such as \`comments\`, then has the fields
of both, and a record fills the fields of its own family.

This page is generated from \`service/src/families/\`; a test compares the two.
`

/** The text of docs/families.md. */
export function familiesPage(): string {
  const sections = families.map((family) => {
    const entities = familyDefinitions[family].entities.map(entitySection)
    return `## ${family}\n\n${entities.join('\n')}`
  })
  return `${head}\n${sections.join('\n')}`
}

function entitySection({ name, parent, secondPass = [], fields }: EntityDefinition): string {
  const notes = [
    ...(parent === undefined ? [] : [`Its parent is the field \`${parent}\`.`]),
    ...(isFileEntity(name)
      ? ['Files: `PUT /files` sends the bytes; fields that this request lacks follow as a record.']
      : []),
  ]
  const rows = Object.entries(fields).map(
    ([field, definition]) =>
      `| \`${field}\` | ${typeOf(definition)} | ${notesOn(definition, secondPass.includes(field))} |`,
  )
  const table = ['| field | type | |', '|---|---|---|', ...rows].join('\n')
  return [`### ${name}`, ...(notes.length > 0 ? [notes.join(' ')] : []), `${table}\n`].join('\n\n')
}

function typeOf({ type, many }: FieldDefinition): string {
  return many ? `list of ${type}` : type
}

function notesOn({ required, to, options, audience }: FieldDefinition, isLater: boolean): string {
  const notes = [
    ...(required ? ['required'] : []),
    ...(to ? [`to ${to.map((name) => `\`${name}\``).join(', ')}`] : []),
    ...(isLater ? ['*later*'] : []),
    ...(audience ? ['*audience*'] : []),
    ...(options ? [options.map((name) => `\`${name}\``).join(', ')] : []),
  ]
  return notes.join('; ')
}
