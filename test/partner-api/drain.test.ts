import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startTestService } from '../support/service.ts'

test('a stopping service answers a running request and closes its kept-alive connection', async () => {
  const service = await startTestService({ config: { rateLimit: 0 } })
  const partner = await service.createPartner()
  const body = '{"source_tool":"fernhill"}'
  const socket = connect(service.port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  await once(socket, 'connect')
  const begun = once(service.app.server, 'request')
  socket.write(
    `POST /api/v2.1/imports HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${btoa(`${partner.api_token}:`)}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  )
  // The service waits only for requests whose header it has read.
  await begun
  const closed = once(socket, 'close')
  const stopped = service.close()
  socket.write(body.slice(5))
  await closed
  await stopped
  expect(received).toMatch(/^HTTP\/1\.1 201 /)
  expect(received.toLowerCase()).toContain('connection: close')
})
