import { type Account, invalid, type Kind, notFound, ok, refused, toV1Time, visibilities } from './account.ts'
import { customTypes, type Field, makeOptions, subfields } from './catalog.ts'
import { number, offset, operation, type Priced, sizeOf, v1, v2 } from './lists.ts'
import { changedOptions, fieldChange, field as fieldShape, newOptions, oldOptions } from './shapes.ts'

const paths: Record<Kind, string> = {
  deals: 'dealFields',
  persons: 'personFields',
  organizations: 'organizationFields',
  activities: 'activityFields',
}

const present = ({ code, name, type, options, isCustom }: Field) => ({
  field_name: name,
  field_code: code,
  description: null,
  field_type: type,
  options,
  subfields:
    subfields[type]?.map((part) => ({ field_code: part, field_name: `${part} of ${name}`, field_type: 'varchar' })) ??
    null,
  is_custom_field: isCustom,
  is_optional_response_field: false,
})

/** Unlike v2, v1 has the choices of `visible_to`, too. */
const presentV1 =
  (account: Account) =>
  ({ code, name, type, options, isCustom, addedAt }: Field, at: number) => ({
    id: at + 1,
    key: code,
    name,
    order_nr: at + 1,
    field_type: type,
    add_time: toV1Time(addedAt),
    update_time: toV1Time(addedAt),
    active_flag: true,
    edit_flag: isCustom,
    mandatory_flag: false,
    ...(options && { options }),
    ...(type === 'visible_to' && { options: visibilities(account) }),
  })

export function makeField(account: Account, kind: Kind, name: string, type: string, labels: string[] = []): Field {
  const hasOptions = type === 'enum' || type === 'set'
  if (hasOptions && labels.length === 0) invalid('options: Parameter options is required')
  const known = account.fields[kind].filter((field) => field.isCustom && !field.isDeleted).length
  if (known >= account.settings.maxCustomFields)
    refused(403, "Couldn't add the field. Custom fields limit reached.", {
      code: 'feature_capping_custom_fields_limit',
    })
  const field: Field = {
    // Pipedrive chooses the code; it differs in each account.
    code: account.hash(),
    name,
    type,
    options: hasOptions ? makeOptions(account, labels) : null,
    isCustom: true,
    isDeleted: false,
    addedAt: account.now(),
  }
  account.fields[kind].push(field)
  return field
}

const include = /(ui_visibility|important_fields|required_fields)(,\w+)*/

function ofKind(account: Account, kind: Kind): Priced[] {
  const path = `${v2}/${paths[kind]}`
  const live = () => account.fields[kind].filter(({ isDeleted }) => !isDeleted)
  const find = (code: string | undefined) => live().find((field) => field.code === code) ?? notFound('Field')
  const custom = (code: string | undefined) => {
    const field = find(code)
    return field.isCustom ? field : refused(400, 'Only custom fields can be changed')
  }
  const choices = (code: string | undefined) => {
    const field = code === 'label_ids' && account.settings.labelsChange ? find(code) : custom(code)
    return field.options ? { field, options: field.options } : refused(400, 'This field has no options')
  }
  const reading = [
    operation(
      10,
      'GET',
      path,
      ({ query }) => {
        const start = Number(Buffer.from(query.get('cursor') ?? '', 'base64url').toString() || 0)
        const size = sizeOf(query)
        const page = live().slice(start, start + size)
        const isLast = start + size >= live().length
        return ok(page.map(present), {
          next_cursor: isLast ? null : Buffer.from(String(start + size)).toString('base64url'),
        })
      },
      { query: { limit: number, cursor: true, include_fields: include } },
    ),
    operation(1, 'GET', `${path}/:code`, ({ params }) => ok(present(find(params.code))), {
      query: { include_fields: include },
    }),
    operation(
      20,
      'GET',
      `${v1}/${paths[kind]}`,
      ({ query }) => {
        const start = Number(query.get('start') ?? 0)
        const limit = Number(query.get('limit') ?? 100)
        const pagination = { start, limit, more_items_in_collection: start + limit < live().length }
        return ok(
          live()
            .map(presentV1(account))
            .slice(start, start + limit),
          { pagination },
        )
      },
      { query: offset },
    ),
  ]
  // Activities have no custom fields.
  if (kind === 'activities') return reading
  return [
    ...reading,
    operation(
      5,
      'POST',
      path,
      ({ json }) => {
        if (!customTypes.includes(json.field_type)) invalid('field_type: is not a type of custom fields')
        const labels = (json.options ?? []).map(({ label }: { label: string }) => label)
        return ok(present(makeField(account, kind, json.field_name, json.field_type, labels)))
      },
      { json: fieldShape(kind === 'deals') },
    ),
    operation(
      5,
      'PATCH',
      `${path}/:code`,
      ({ params, json }) => {
        const field = custom(params.code)
        field.name = json.field_name ?? field.name
        return ok(present(field))
      },
      { json: fieldChange },
    ),
    operation(3, 'DELETE', `${path}/:code`, ({ params }) => {
      const field = custom(params.code)
      field.isDeleted = true
      return ok(present(field))
    }),
    operation(
      5,
      'POST',
      `${path}/:code/options`,
      ({ params, json }) => {
        const { field, options } = choices(params.code)
        const added = makeOptions(
          account,
          json.map(({ label }: { label: string }) => label),
        )
        field.options = [...options, ...added]
        return ok(added, null)
      },
      { json: newOptions },
    ),
    operation(
      5,
      'PATCH',
      `${path}/:code/options`,
      ({ params, json }) => {
        const { options } = choices(params.code)
        const named = json as { id: number; label: string }[]
        const known = named.map(({ id }) => options.find((one) => one.id === id) ?? notFound('Option'))
        known.forEach((option, at) => {
          option.label = named[at]?.label ?? option.label
        })
        return ok(known, null)
      },
      { json: changedOptions },
    ),
    operation(
      3,
      'DELETE',
      `${path}/:code/options`,
      ({ params, json }) => {
        const { field, options } = choices(params.code)
        const gone = json.map(({ id }: { id: number }) => id) as number[]
        // Either all options are removed, or none.
        const removed = gone.map((id) => options.find((one) => one.id === id) ?? notFound('Option'))
        field.options = options.filter(({ id }) => !gone.includes(id))
        return ok(removed, null)
      },
      { json: oldOptions },
    ),
  ]
}

export const fieldOperations = (account: Account): Priced[] =>
  (Object.keys(paths) as Kind[]).flatMap((kind) => ofKind(account, kind))
