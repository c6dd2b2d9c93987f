import { skippedKinds, writeLosses } from '../warnings/codes.ts'
import { entities as ghost } from './blog/ghost/entities.ts'
import { entities as wordpress } from './blog/wordpress/entities.ts'
import type { Connector } from './contract/contract.ts'
import { entities as hubspot } from './crm/hubspot/entities.ts'
import { entities as pipedrive } from './crm/pipedrive/entities.ts'
import { entities as fernhill } from './helpdesk/fernhill/entities.ts'
import { entities as freshdesk } from './helpdesk/freshdesk/entities.ts'
import { entities as helpscout } from './helpdesk/helpscout/entities.ts'
import { entities as intercom } from './helpdesk/intercom/entities.ts'
import { entities as zendesk } from './helpdesk/zendesk/entities.ts'
import type { Entity } from './kit/entity.ts'
import type { Lens } from './kit/lens.ts'
import { connectors } from './registry.ts'

/** Tools whose fields are declared with the kit. For every other tool, its README lists the fields. */
const declared: Readonly<Record<string, readonly Entity<never>[]>> = {
  fernhill,
  freshdesk,
  ghost: Object.values(ghost),
  helpscout,
  hubspot,
  intercom,
  pipedrive,
  wordpress: Object.values(wordpress),
  zendesk,
}

const head = `# Tools

Data can be copied from every source to every destination that has a family in common with it. [families.md](families.md) has the
fields of each family. A tool that declares its fields has a table of them here. The README of each tool lists the other
copied fields, and explains special cases.

This page is generated from the declarations in \`service/src/connectors/\`; a test compares the two.
`

/** The connector's folder: its first family and its name, except for files and the open protocol. */
export const folderOf = ({ tool, families }: Pick<Connector, 'tool' | 'families'>): string =>
  ({ csv: 'files', open: 'open' })[tool] ?? `${families[0]}/${tool}`

/** The text of docs/tools.md. */
export function toolsPage(): string {
  const rows = connectors.map(
    ({ tool, label, families, source, destination, movesBetweenInstances }) =>
      `| [${label}](#${tool}) | ${families.join(', ')} | ${mark(source)} | ${mark(destination)} | ${mark(movesBetweenInstances)} |`,
  )
  const table = ['| tool | families | source | destination | between two accounts |', '|---|---|---|---|---|', ...rows]
  return [head, `${table.join('\n')}\n`, ...connectors.map(toolSection)].join('\n')
}

const mark = (is: unknown) => (is ? 'yes' : 'no')

function toolSection({ tool, label, families, source, destination }: Connector): string {
  const deleted = source?.tellsDeleted ?? []
  const lines = [
    `<a id="${tool}"></a>`,
    `## ${label}`,
    `More about it: [README](../service/src/connectors/${folderOf({ tool, families })}/README.md).`,
    ...(source
      ? [`Deletions in the source are found for ${deleted.length > 0 ? deleted.join(', ') : 'no entity'}.`]
      : []),
    ...(source?.skips?.length ? [`Counted but not copied:\n\n${source.skips.map(skippedLine).join('\n')}`] : []),
    ...(destination?.loses?.length
      ? [
          `Possible losses when it is the destination:\n\n${destination.loses.map((loss) => `- ${writeLosses[loss]}`).join('\n')}`,
        ]
      : []),
    ...(declared[tool] ?? []).map(entitySection),
  ]
  return `${lines.join('\n\n')}\n`
}

const skippedLine = (kind: keyof typeof skippedKinds) => `- ${skippedKinds[kind][1]}`

function entitySection(entity: Entity<never>): string {
  const own = { created_at: entity.createdAt, updated_at: entity.updatedAt }
  const stamps = Object.entries(own).flatMap(([name, lens]) => (lens ? [[name, lens] as const] : []))
  const extra = Object.entries(entity.extra ?? {}).map(([key, { label, lens }]) =>
    row(`custom field ${label} (\`${key}\`)`, lens),
  )
  const custom = entity.custom
    ? [`| custom fields of the account | \`${entity.custom.from}\` | by their types | |`]
    : []
  const fields = [...stamps, ...Object.entries(entity.fields)].map(([name, lens]) => row(`\`${name}\``, lens))
  const table = ['| field | in the tool | type | |', '|---|---|---|---|', ...fields, ...extra, ...custom]
  return `### ${entity.name}\n\n${table.join('\n')}`
}

function row(name: string, { from, type, many, relates, options, maxLength, note }: Lens<never>): string {
  const notes = [
    ...(relates === undefined ? [] : [`to \`${relates}\``]),
    ...(maxLength === null ? [] : [`at most ${maxLength} characters`]),
    ...options.map((option) => `\`${option}\``),
    ...(note === undefined ? [] : [note]),
  ]
  return `| ${name} | ${from === null ? 'computed' : `\`${from}\``} | ${many ? `list of ${type}` : type} | ${notes.join(', ')} |`
}
