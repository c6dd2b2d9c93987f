import { answer, refuse, type TwinRequest } from '../answers.ts'
import { cursorPage, numberOf } from '../pages.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, errorOf, found, type Owner, uniqueKey, wrong } from './account.ts'
import type { Property } from './catalog.ts'
import { kindOf } from './links.ts'
import { shapes } from './shapes.ts'

const maxUnique = 10

export function propertyOperations(account: Account): Operation[] {
  const present = ({ readOnly, ...property }: Property) => ({
    ...property,
    archived: false,
    hidden: false,
    displayOrder: -1,
    calculated: false,
    externalOptions: property.externalOptions ?? property.name === 'hubspot_owner_id',
    formField: !property.hubspotDefined,
    modificationMetadata: {
      archivable: !property.hubspotDefined,
      readOnlyDefinition: property.hubspotDefined,
      readOnlyValue: readOnly,
    },
  })
  const kindIn = ({ params }: TwinRequest) => kindOf(params.kind)
  const find = (request: TwinRequest) =>
    found(account.properties[kindIn(request)].find(({ name }) => name === request.params.name))
  const optionsOf = (options: Property['options'] = []) =>
    options.map((option, at) => ({
      ...option,
      hidden: option.hidden ?? false,
      displayOrder: option.displayOrder ?? at,
      description: option.description ?? '',
    }))
  const checkOptions = ({ type, fieldType, options, externalOptions }: Property) => {
    const isChoice = type === 'enumeration' && externalOptions !== true
    if (isChoice && options.length === 0 && fieldType !== 'booleancheckbox') wrong('An enumeration needs options')
    for (const name of ['value', 'label'] as const)
      if (new Set(options.map((option) => option[name])).size < options.length) wrong(`Option ${name}s must be unique`)
  }
  return [
    // The account has no custom objects.
    { ...shapes.schemas, act: () => answer(200, { results: [] }) },
    {
      ...shapes.properties,
      act: (request) => {
        const asked = request.query.get('dataSensitivity') ?? 'non_sensitive'
        const isAsked = ({ dataSensitivity }: Property) => (dataSensitivity ?? 'non_sensitive') === asked
        return answer(200, { results: account.properties[kindIn(request)].filter(isAsked).map(present) })
      },
    },
    { ...shapes.property, act: (request) => answer(200, present(find(request))) },
    {
      ...shapes.makeProperty,
      act(request) {
        const kind = kindIn(request)
        const known = account.properties[kind]
        const {
          name,
          label,
          type,
          fieldType,
          groupName,
          hasUniqueValue = false,
          description = '',
          options,
          referencedObjectType,
          externalOptions,
        } = request.json
        if (!/^[a-z][a-z0-9_]{0,99}$/.test(name)) wrong(`${name} is not a name: it begins with a letter, in lower case`)
        if (known.some((one) => one.name === name))
          refuse(409, errorOf('OBJECT_ALREADY_EXISTS', `A property named '${name}' already exists.`))
        if (!account.groups[kind].some((group) => group.name === groupName)) wrong(`There is no group ${groupName}`)
        const isFull = known.filter((one) => one.hasUniqueValue && !one.hubspotDefined).length >= maxUnique
        if (hasUniqueValue && isFull) wrong(`There can be ${maxUnique} unique properties`)
        if (hasUniqueValue && !['string', 'number'].includes(type)) wrong(`A ${type} cannot be unique`)
        const times = { createdAt: account.now(), updatedAt: account.now() }
        const people =
          referencedObjectType === undefined ? {} : { referencedObjectType, externalOptions: externalOptions === true }
        const state = { hasUniqueValue, hubspotDefined: false, readOnly: false, ...people }
        const property: Property = {
          name,
          label,
          type,
          fieldType,
          groupName,
          description,
          options: optionsOf(options),
          ...state,
          ...times,
        }
        checkOptions(property)
        known.push(property)
        return answer(201, present(property))
      },
    },
    {
      ...shapes.changeProperty,
      act(request) {
        const property = find(request)
        if (property.hubspotDefined && request.json.label) wrong('The definition of this property is read only')
        const { options, ...given } = request.json
        Object.assign(property, given, options && { options: optionsOf(options) }, { updatedAt: account.now() })
        checkOptions(property)
        return answer(200, present(property))
      },
    },
    {
      ...shapes.removeProperty,
      act(request) {
        const kind = kindIn(request)
        const property = find(request)
        if (property.hubspotDefined) wrong('This property cannot be archived')
        account.properties[kind].splice(account.properties[kind].indexOf(property), 1)
        for (const thing of account.things[kind].list()) {
          const value = thing.properties[property.name]
          if (value) account.unique.delete(uniqueKey(kind, property.name, value))
        }
        return answer(204)
      },
    },
    { ...shapes.groups, act: (request) => answer(200, { results: account.groups[kindIn(request)] }) },
    {
      ...shapes.makeGroup,
      act(request) {
        const groups = account.groups[kindIn(request)]
        const { name, label, displayOrder = -1 } = request.json
        if (groups.some((group) => group.name === name))
          refuse(409, errorOf('OBJECT_ALREADY_EXISTS', `A group named '${name}' already exists.`))
        const group = { name, label, displayOrder, archived: false }
        groups.push(group)
        return answer(201, group)
      },
    },
  ]
}

export function ownerOperations(account: Account): Operation[] {
  const { owners } = account
  const present = ({ isArchived, id, email, firstName, lastName }: Owner) => ({
    id,
    email,
    type: 'PERSON',
    firstName,
    lastName,
    userId: isArchived ? null : Number(id) + 1,
    userIdIncludingInactive: Number(id) + 1,
    createdAt: '2020-01-01T00:00:00.000Z',
    updatedAt: '2020-01-01T00:00:00.000Z',
    archived: isArchived,
    teams: [],
  })
  return [
    {
      ...shapes.owners,
      act({ query }) {
        const isArchived = query.get('archived') === 'true'
        const mail = query.get('email')
        const list = owners.list((one) => one.isArchived === isArchived && (mail === null || one.email === mail))
        const { items, next } = cursorPage(list, {
          after: query.get('after'),
          size: numberOf(query.get('limit'), { otherwise: 100, most: 500 }),
          keyOf: ({ id }) => Number(id),
        })
        return answer(200, { results: items.map(present), ...(next !== null && { paging: { next: { after: next } } }) })
      },
    },
    {
      ...shapes.owner,
      act: ({ params, query }) =>
        answer(
          200,
          present(
            found(
              owners.list((one) => one.id === params.id && one.isArchived === (query.get('archived') === 'true'))[0],
            ),
          ),
        ),
    },
    {
      ...shapes.details,
      act: () =>
        answer(200, {
          portalId: 1_234_567,
          accountType: 'STANDARD',
          timeZone: 'Europe/Berlin',
          companyCurrency: 'EUR',
          additionalCurrencies: ['USD', 'GBP'],
          utcOffset: '+01:00',
          utcOffsetMilliseconds: 3_600_000,
          uiDomain: 'app.hubspot.com',
          dataHostingLocation: 'eu1',
        }),
    },
  ]
}
