import { isFileEntity } from '../connectors/open/file-fields.ts'
import type { EntityDefinition, FieldDefinition } from '../families/definition.ts'
import { families, familyDefinitions } from '../families/index.ts'

const head = `# Families

Tools of one kind hold the same kinds of things. Each kind is a family with entities and fields; data moves between any two
tools of a family. A destination that implements [the open protocol](destination-protocol.md) takes the entities and
fields that it names in \`describe\`, under the names below; what the types look like on the wire is said there.

Entities stand in the order in which they are written: what a record refers to is written before it. Relations marked
*later* can form circles or lead forward; the record is written again with them once everything is there. Options are the
names we use; a destination may have others, and the customer decides which becomes which. Every record also has
\`created_at\`, \`updated_at\` and custom fields.

Fields marked *audience* tell who may see a record, from the value with the most readers to the one with the fewest. A
record without such a value is visible to everyone who sees its parent. A destination that names such a field
promises to keep to it; see [who may see a record](destination-protocol.md#who-may-see-a-record).

An account may take several families. An entity that two of them have in common, such as \`comments\`, then has the fields
of both, and a record fills those of its own family.

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
    ...(parent === undefined ? [] : [`Hangs on its \`${parent}\`.`]),
    ...(isFileEntity(name)
      ? ['Files: sent as bytes to `PUT /files`; fields that it has no place for follow as a record.']
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
