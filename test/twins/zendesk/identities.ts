import { answer, type TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, found, type Identity, idOf, invalid, type User } from './account.ts'
import { sendList } from './lists.ts'
import { shapes } from './shapes.ts'

const isAddress = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/

/** The owner of an address, ignoring case. */
export function ownerOf({ identities, users }: Account, value: string): User | undefined {
  const [one] = identities.list(
    (identity) => identity.type === 'email' && identity.value.toLowerCase() === value.toLowerCase(),
  )
  return one && users.get(String(one.user_id))
}

/**
 * The first address is the user's primary one. A later address is added beside it; only `make_primary` changes that.
 */
export function setEmail(
  account: Account,
  userId: string,
  value: string,
  { type = 'email', isSilent = false }: { type?: string; isSilent?: boolean } = {},
): Identity {
  const { identities, users, nextId, now, mails } = account
  if (type === 'email' && !isAddress.test(value)) invalid('email', `Email: ${value} is not properly formatted`)
  const ofUser = identities.list((one) => one.user_id === Number(userId) && one.type === type)
  const known = ofUser.find((one) => one.value.toLowerCase() === value.toLowerCase())
  if (known) return known
  const made = identities.put({
    id: nextId(),
    user_id: Number(userId),
    type,
    value,
    primary: ofUser.length === 0,
    verified: isSilent,
    created_at: now(),
    updated_at: now(),
  })
  if (type === 'email' && made.primary) users.change(userId, { email: value })
  if (type === 'email' && !isSilent) mails.push(`${value}: verify your address`)
  return made
}

const presentIdentity = (account: Account, one: Identity) => ({
  ...one,
  id: idOf(one),
  url: account.address(`users/${one.user_id}/identities/${one.id}.json`),
  deliverable_state: 'deliverable',
  undeliverable_count: 0,
  verification_method: one.verified ? 'low' : 'none',
})

export const identitiesOf = (account: Account, user: User) =>
  account.identities.list((one) => one.user_id === idOf(user)).map((one) => presentIdentity(account, one))

export function identityOperations(account: Account): Operation[] {
  const { identities, users } = account
  const present = (one: Identity) => presentIdentity(account, one)
  const ofUser = ({ params }: TwinRequest) => {
    const user = found(users.get(String(params.id)))
    return identities.list((one) => one.user_id === idOf(user))
  }
  const find = (request: TwinRequest) => found(ofUser(request).find(({ id }) => id === request.params.identityId))
  return [
    { ...shapes.identities, act: (request) => sendList(request, ofUser(request), { name: 'identities', present }) },
    {
      ...shapes.makeIdentity,
      act({ params, json }) {
        const user = found(users.get(String(params.id)))
        const { type, value, verified, skip_verify_email, primary } = json.identity
        const owner = type === 'email' ? ownerOf(account, value) : undefined
        if (owner) invalid('value', `Email: ${value} is already being used by another user`, 'DuplicateValue')
        const made = setEmail(account, user.id, value, { type, isSilent: Boolean(verified ?? skip_verify_email) })
        if (primary) makePrimary(account, made)
        return answer(201, { identity: present(found(identities.get(made.id))) })
      },
    },
    {
      ...shapes.makePrimary,
      act(request) {
        makePrimary(account, find(request))
        return answer(200, { identities: ofUser(request).map(present) })
      },
    },
    {
      ...shapes.removeIdentity,
      act(request) {
        const one = find(request)
        if (one.primary && one.type === 'email') invalid('base', 'The primary e-mail address cannot be removed')
        identities.remove(one.id)
        return answer(204)
      },
    },
  ]
}

function makePrimary({ identities, users, now, clock }: Account, one: Identity): void {
  for (const other of identities.list(({ user_id, type }) => user_id === one.user_id && type === one.type))
    identities.change(other.id, { primary: other.id === one.id, updated_at: now() })
  if (one.type === 'email')
    users.change(String(one.user_id), { email: one.value, updated_at: now(), changedAt: clock.now() })
}
