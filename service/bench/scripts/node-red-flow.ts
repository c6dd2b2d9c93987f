/**
 * A flow of Node-RED's standard nodes. It copies one record after the other, because no node limits parallel requests.
 */
export function buildFlow(desk: string, destination: string): object[] {
  const tab = 'copy'
  // Node-RED treats a node without a position as a setting.
  const place = { z: tab, x: 100, y: 100 }
  const act = (id: string, func: string, ...wires: string[][]) => ({
    id,
    ...place,
    type: 'function',
    name: id,
    func,
    outputs: wires.length,
    wires,
  })
  const request = (id: string, ret: 'obj' | 'bin', next: string) => ({
    id,
    ...place,
    type: 'http request',
    name: id,
    method: 'use',
    ret,
    paytoqs: 'ignore',
    url: '',
    persist: true,
    senderr: true,
    wires: [[next]],
  })
  const get = (url: string) => `msg.method = 'GET'; msg.payload = ''; msg.headers = {}; msg.url = ${url};`
  const post = (path: string, payload: string) =>
    `msg.method = 'POST'; msg.headers = {}; msg.url = '${destination}/plain' + ${path}; msg.payload = ${payload};`
  return [
    { id: tab, type: 'tab', label: 'Copy' },
    { id: 'start', ...place, type: 'inject', once: true, onceDelay: 0.1, props: [], repeat: '', wires: [['ask page']] },
    act('ask page', `${get(`'${desk}/api/v1/tickets?limit=100&after=' + (flow.get('after') || '')`)} return msg`, [
      'read page',
    ]),
    request('read page', 'obj', 'keep page'),
    act('keep page', `flow.set('tickets', msg.payload.data); flow.set('after', msg.payload.next); return msg`, [
      'next ticket',
    ]),
    act(
      'next ticket',
      `const ticket = flow.get('tickets').shift()
       if (!ticket && flow.get('after')) return [null, msg, null]
       if (!ticket) { ${post(`'/done'`, '{}')} return [null, null, msg] }
       msg.ticket = ticket
       ${post(`'/tickets'`, `{ records: [{ source: 'tickets/' + ticket.id, subject: ticket.subject, description: ticket.description }] }`)}
       return [msg, null, null]`,
      ['create ticket'],
      ['ask page'],
      ['tell the end'],
    ),
    request('create ticket', 'obj', 'ask comments'),
    act(
      'ask comments',
      `msg.created = msg.payload.ids[0]; ${get(`'${desk}/api/v1/tickets/' + msg.ticket.id + '/comments'`)} return msg`,
      ['read comments'],
    ),
    request('read comments', 'obj', 'keep comments'),
    act('keep comments', 'msg.comments = msg.payload.data; return msg', ['next comment']),
    act(
      'next comment',
      `const comment = msg.comments.shift()
       if (!comment) return [null, msg]
       msg.files = comment.attachments
       ${post(`'/comments'`, `{ records: [{ source: 'comments/' + comment.id, body: comment.body, ticket: msg.created }] }`)}
       return [msg, null]`,
      ['create comment'],
      ['next ticket'],
    ),
    request('create comment', 'obj', 'any file'),
    act(
      'any file',
      `const [file] = msg.files
       if (!file) return [null, msg]
       msg.comment = msg.payload.ids[0]
       msg.file = file
       ${get(`'${desk}/api/v1/attachments/' + file.id + '/content'`)}
       return [msg, null]`,
      ['read file'],
      ['next comment'],
    ),
    request('read file', 'bin', 'send file'),
    act(
      'send file',
      `const source = encodeURIComponent('attachments/' + msg.file.id), bytes = msg.payload
       ${post(`'/comments/' + msg.comment + '/files?source=' + source`, 'bytes')}
       return msg`,
      ['create file'],
    ),
    request('create file', 'obj', 'next comment'),
    request('tell the end', 'obj', 'end'),
    act('end', 'return null', []),
  ]
}

/** No editor. Listens only on the local address. */
export const nodeRedSettings = `module.exports = {
  flowFile: 'flow.json', uiHost: '127.0.0.1', httpAdminRoot: false, disableEditor: true, credentialSecret: false,
  logging: { console: { level: 'error', metrics: false, audit: false } },
  telemetry: { enabled: false, updateNotification: false },
}
`
