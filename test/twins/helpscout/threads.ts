import type { TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, found, type Thread, wrong } from './account.ts'
import type { Auth } from './auth.ts'
import { conversationIn } from './conversations.ts'
import { created, done, hal, halPage } from './hal.ts'
import { newestFirst, presentThread } from './present-conversation.ts'
import { addThread, type NewType, saveAttachment, touch } from './save-thread.ts'
import { bodies, pageQuery, type ThreadPath } from './shapes.ts'

const paths: Record<ThreadPath, NewType> = {
  customer: 'customer',
  chats: 'chat',
  phones: 'phone',
  notes: 'note',
  reply: 'reply',
}

export function threadOperations(account: Account, { meOf }: Auth): Operation[] {
  const { attachments, pageSizes } = account
  const conversationOf = (request: TwinRequest) => conversationIn(account, request)
  const threadIn = (request: TwinRequest) =>
    found(conversationOf(request).threads.find(({ id }) => id === Number(request.params.thread)))
  const change = (request: TwinRequest, changes: Partial<Thread>) => {
    const { id } = threadIn(request)
    const conversation = conversationOf(request)
    const threads = conversation.threads.map((one) => (one.id === id ? { ...one, ...changes } : one))
    touch(account, conversation.id, { threads })
  }
  /** The thread that contains a file of this conversation. */
  const holderOf = (request: TwinRequest, file: number) =>
    found(conversationOf(request).threads.find((one) => one.attachments.includes(file)))

  return [
    {
      method: 'GET',
      path: '/v2/conversations/:id/threads',
      query: pageQuery,
      act(request) {
        const conversation = conversationOf(request)
        return halPage(request, 'threads', newestFirst(conversation.threads), pageSizes.others, (thread) =>
          presentThread(account, request, conversation.id, thread),
        )
      },
    },
    ...(Object.keys(paths) as ThreadPath[]).map(
      (path): Operation => ({
        method: 'POST',
        path: `/v2/conversations/:id/${path}`,
        json: bodies.thread(path),
        act(request) {
          const conversation = conversationOf(request)
          const thread = addThread(account, conversation, paths[path], request.json, meOf(request))
          return created(request, `/v2/conversations/${conversation.id}/threads`, thread.id)
        },
      }),
    ),
    {
      // A thread can be hidden and its text changed. It cannot be deleted.
      method: 'PATCH',
      path: '/v2/conversations/:id/threads/:thread',
      json: bodies.patch,
      act(request) {
        const { op, path, value } = request.json
        if (op !== 'replace') wrong('op', 'Expected one of these: replace', op)
        if (path === '/text' && typeof value === 'string' && value !== '') change(request, { body: value })
        else if (path === '/hidden' && typeof value === 'boolean')
          change(request, { state: value ? 'hidden' : 'published' })
        else wrong('path', 'this cannot be done here', path)
        return done
      },
    },
    {
      method: 'POST',
      path: '/v2/conversations/:id/threads/:thread/attachments',
      json: bodies.attachment,
      act(request) {
        const thread = threadIn(request)
        const id = saveAttachment(account, request.json)
        change(request, { attachments: [...thread.attachments, id] })
        return created(request, `/v2/conversations/${request.params.id}/attachments`, id)
      },
    },
    {
      method: 'GET',
      path: '/v2/conversations/:id/attachments/:file/data',
      act(request) {
        const file = found(attachments.get(String(request.params.file)))
        holderOf(request, Number(file.id))
        // A malicious file cannot be downloaded.
        const { bytes } = found(file.state === 'valid' ? file : undefined)
        const href = `${request.origin}${request.url.pathname}`
        return hal({ data: bytes.toString('base64'), _links: { self: { href } } })
      },
    },
    {
      method: 'DELETE',
      path: '/v2/conversations/:id/attachments/:file',
      act(request) {
        const file = Number(request.params.file)
        const holder = holderOf(request, file)
        const rest = holder.attachments.filter((id) => id !== file)
        change({ ...request, params: { ...request.params, thread: String(holder.id) } }, { attachments: rest })
        attachments.remove(String(file))
        return done
      },
    },
  ]
}
