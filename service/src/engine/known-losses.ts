import type { FieldDefinition } from '../families/definition.ts'
import type { WarningCode, WriteLoss } from '../warnings/codes.ts'

type Fields = Readonly<Record<string, Pick<FieldDefinition, 'type'>>>

const relations = (name: string, fields: Fields) => fields[name]?.type === 'relation'
const named = (pattern: RegExp) => (name: string) => pattern.test(name)
const author = named(/^(author\w*|uploaded_by|owner)$/)
const status = named(/^(status|is_private|is_public|published_at)$/)

/** The fields that a record may lack, or have otherwise, after each loss. A loss that is not listed explains none. */
const explains: Partial<Record<WriteLoss, (name: string, fields: Fields) => boolean>> = {
  address_refused: named(/^emails?$/),
  assignee_refused: named(/^(assignee|owner)$/),
  author_not_kept: author,
  author_replaced: author,
  custom_value_refused: named(/^custom:/),
  domain_refused: named(/^domains$/),
  due_kept_as_draft: status,
  kept_for_agents: named(/^is_(public|private)$/),
  milestone_refused: named(/^milestone$/),
  moment_not_kept: named(/_(at|on)$/),
  parent_refused: named(/^parent/),
  person_chosen: author,
  person_replaced: author,
  phone_refused: named(/^phones$/),
  private_kept_as_draft: status,
  probability_adjusted: named(/^probability$/),
  relation_refused: relations,
  stage_chosen: named(/^(stage|pipeline)$/),
  status_refused: named(/^status$/),
  tags_left_out: named(/^tags$/),
  watcher_refused: named(/^(watchers|followers)$/),
}

/** Whether losses that the report tells explain all of these differing fields. */
export function areKnown(differing: readonly string[], warned: readonly WarningCode[] | null, fields: Fields): boolean {
  const told = (warned ?? []).flatMap((code) => {
    const loss = /^lost:(\w+)/.exec(code)?.[1]
    return explains[loss as WriteLoss] ?? []
  })
  return differing.length > 0 && differing.every((name) => told.some((isExplained) => isExplained(name, fields)))
}
