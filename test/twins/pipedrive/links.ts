import { type Account, find, findLive, isLive, notFound, ok, refused, type Thing, touch, toV1Time } from './account.ts'
import { number, offset, offsetList, operation, type Priced, v1 } from './lists.ts'
import { participant, relationship } from './shapes.ts'

/** Participants of deals in addition to the person, and relations between organizations. */
export function linkOperations(account: Account): Priced[] {
  const { participants, relationships, organizations, persons, deals } = account
  const shownParticipant = ({ id, body }: Thing) => {
    const person = persons.get(String(body.person_id))?.body
    const email = person?.emails ?? []
    const phone = person?.phones ?? []
    return {
      id: Number(id),
      // v1 has a whole object where v2 has an id.
      person_id: { active_flag: true, name: person?.name, email, phone, value: body.person_id },
      add_time: toV1Time(body.add_time as string),
      active_flag: true,
      related_item_type: 'deal',
      related_item_id: body.deal_id,
      related_item_data: { deal_id: body.deal_id, title: deals.get(String(body.deal_id))?.body.title },
    }
  }
  const shownOrganization = (id: unknown) => ({ name: organizations.get(String(id))?.body.name, value: id })
  const shownRelationship = ({ id, body }: Thing, orgId?: number) => {
    const isOwner = body.rel_owner_org_id === orgId
    const other = isOwner ? body.rel_linked_org_id : body.rel_owner_org_id
    const seen = isOwner ? 'daughter' : 'parent'
    return {
      id: Number(id),
      type: body.type,
      rel_owner_org_id: shownOrganization(body.rel_owner_org_id),
      rel_linked_org_id: shownOrganization(body.rel_linked_org_id),
      add_time: toV1Time(body.add_time as string),
      update_time: toV1Time(body.add_time as string),
      active_flag: 'true',
      ...(orgId !== undefined && {
        calculated_type: body.type === 'parent' ? seen : 'related',
        calculated_related_org_id: other,
        related_organization_name: organizations.get(String(other))?.body.name,
      }),
    }
  }
  const gone = (store: typeof participants, id: string | undefined, name: string) => {
    if (!store.remove(String(id))) notFound(name)
    return ok({ id: Number(id) })
  }
  return [
    operation(
      10,
      'GET',
      `${v1}/deals/:id/participants`,
      (request) => {
        const deal = find(account, deals, request.params.id, 'Deal')
        const own = participants.list(({ body }) => String(body.deal_id) === deal.id)
        return offsetList(own, request, shownParticipant)
      },
      { query: offset },
    ),
    operation(
      10,
      'POST',
      `${v1}/deals/:id/participants`,
      ({ params, json }) => {
        const deal = findLive(deals, params.id, 'Deal')
        const person = persons.get(String(json.person_id))
        if (!person || !isLive(person)) refused(400, 'person_id does not exist')
        const body = { deal_id: Number(deal.id), person_id: json.person_id, add_time: account.now() }
        touch(account, 'deals', deal.id)
        return ok(
          shownParticipant(participants.put({ id: account.nextId('participants'), body, custom: {}, deletedAt: null })),
        )
      },
      { json: participant },
    ),
    operation(6, 'DELETE', `${v1}/deals/:id/participants/:participant`, ({ params }) =>
      gone(participants, params.participant, 'Participant'),
    ),
    operation(
      20,
      'GET',
      `${v1}/organizationRelationships`,
      ({ query }) => {
        if (!query.has('org_id')) refused(400, 'org_id is required')
        const id = Number(query.get('org_id'))
        const own = relationships.list(({ body }) => body.rel_owner_org_id === id || body.rel_linked_org_id === id)
        return ok(own.length === 0 ? null : own.map((one) => shownRelationship(one, id)))
      },
      { query: { org_id: number } },
    ),
    operation(
      10,
      'POST',
      `${v1}/organizationRelationships`,
      ({ json: { org_id: _own, ...given } }) => {
        for (const id of [given.rel_owner_org_id, given.rel_linked_org_id]) findLive(organizations, id, 'Organization')
        const body = { ...given, add_time: account.now() }
        const id = account.nextId('relationships')
        return ok(shownRelationship(relationships.put({ id, body, custom: {}, deletedAt: null })))
      },
      { json: relationship },
    ),
    operation(6, 'DELETE', `${v1}/organizationRelationships/:id`, ({ params }) =>
      gone(relationships, params.id, 'Relationship'),
    ),
  ]
}
