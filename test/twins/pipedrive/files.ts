import {
  type Account,
  find,
  isLive,
  notFound,
  ok,
  refused,
  type StoredFile,
  type Thing,
  touch,
  toV1Time,
} from './account.ts'
import { offset, offsetList, operation, type Priced, v1 } from './lists.ts'

const parents = ['deal_id', 'person_id', 'org_id', 'product_id', 'activity_id', 'lead_id'] as const
const stores = {
  deal_id: 'deals',
  person_id: 'persons',
  org_id: 'organizations',
  activity_id: 'activities',
  lead_id: 'leads',
} as const

const pageSize = 100

function present(account: Account, thing: Thing) {
  const { id, body, deletedAt } = thing
  const name = String(body.name)
  const ids = Object.fromEntries(parents.map((parent) => [parent, body[parent] ?? null]))
  const titled = (parent: 'deal_id' | 'person_id' | 'org_id' | 'lead_id') => {
    const of = account[stores[parent]].get(String(body[parent]))?.body
    return of ? (of.title ?? of.name) : null
  }
  return {
    id: Number(id),
    user_id: body.user_id,
    ...ids,
    log_id: null,
    add_time: toV1Time(body.add_time as string),
    update_time: toV1Time(body.update_time as string),
    file_name: body.file_name,
    file_type: /\.(png|jpe?g|gif)$/i.test(name) ? 'img' : 'document',
    file_size: (thing as StoredFile).bytes.length,
    active_flag: deletedAt === null,
    inline_flag: body.inline_flag ?? false,
    remote_location: 's3',
    remote_id: name,
    cid: body.cid ?? '',
    s3_bucket: '',
    mail_message_id: '',
    mail_template_id: '',
    deal_name: titled('deal_id'),
    person_name: titled('person_id'),
    org_name: titled('org_id'),
    lead_name: titled('lead_id'),
    product_name: null,
    url: `${account.origin}/v1/files/${id}/download`,
    name,
    description: body.description ?? '',
  }
}

export function makeFile(
  account: Account,
  name: string,
  bytes: Buffer,
  parent: Record<string, unknown>,
  contentType = 'application/octet-stream',
): StoredFile {
  const body = {
    name,
    file_name: `${account.hash()}_${name}`,
    user_id: account.me,
    add_time: account.now(),
    update_time: account.now(),
    ...parent,
  }
  touch(account, 'deals', parent.deal_id)
  touch(account, 'persons', parent.person_id)
  touch(account, 'organizations', parent.org_id)
  return account.files.put({ id: account.nextId('files'), body, custom: {}, deletedAt: null, bytes, contentType })
}

export function fileOperations(account: Account): Priced[] {
  const { files, clock } = account
  const byId = (id: string | undefined) => find(account, files, id, 'File')
  const query = { ...offset, sort: /(id|update_time)( (ASC|DESC))?/i }
  const shown = (one: Thing) => present(account, one)
  const under = (kind: 'deals' | 'persons' | 'organizations', name: (typeof parents)[number]) =>
    operation(
      20,
      'GET',
      `${v1}/${kind}/:id/files`,
      (request) => {
        const { id } = find(account, account[kind], request.params.id, kind)
        const own = files.list((one) => isLive(one) && String(one.body[name]) === id)
        return offsetList(own, request, shown, pageSize)
      },
      { query },
    )
  return [
    operation(20, 'GET', `${v1}/files`, (request) => offsetList(files.list(isLive), request, shown, pageSize), {
      query,
    }),
    under('deals', 'deal_id'),
    under('persons', 'person_id'),
    under('organizations', 'org_id'),
    operation(
      10,
      'POST',
      `${v1}/files`,
      ({ form, files: parts }) => {
        const part = form?.get('file')
        const bytes = parts.get('file')
        if (!part || typeof part === 'string' || !bytes) return refused(400, 'file is required')
        const named = parents.filter((name) => form?.has(name))
        const [name] = named
        if (named.length !== 1 || !name) return refused(400, 'A file belongs to exactly one item')
        const text = String(form?.get(name))
        const parent = name === 'product_id' ? undefined : account[stores[name]].get(text)
        if (!parent || !isLive(parent)) return refused(400, `${name}: ${text} does not exist`)
        const id = name === 'lead_id' ? text : Number(text)
        return ok(shown(makeFile(account, part.name, bytes, { [name]: id }, part.type || 'application/octet-stream')))
      },
      { form: ['file', ...parents] },
    ),
    operation(2, 'GET', `${v1}/files/:id`, ({ params }) => ok(shown(byId(params.id)))),
    operation(
      10,
      'PUT',
      `${v1}/files/:id`,
      ({ params, form }) => {
        const file = byId(params.id)
        if (!isLive(file)) notFound('File')
        const told = Object.fromEntries([...(form ?? [])].map(([name, text]) => [name, String(text)]))
        const body = { ...file.body, ...told, update_time: account.now() }
        return ok(shown(files.change(file.id, { body }) ?? file))
      },
      { form: ['name', 'description'] },
    ),
    operation(6, 'DELETE', `${v1}/files/:id`, ({ params }) => {
      const file = byId(params.id)
      if (!isLive(file)) notFound('File')
      files.change(file.id, { deletedAt: clock.now() })
      return ok({ id: Number(file.id) })
    }),
    operation(20, 'GET', `${v1}/files/:id/download`, ({ params }, { files: host }) => {
      const file = byId(params.id)
      if (!isLive(file)) notFound('File')
      // The file store has no authentication: the address alone opens a file, for five minutes.
      return { status: 302, headers: { location: host.sign(file.bytes, file.contentType) } }
    }),
  ]
}
