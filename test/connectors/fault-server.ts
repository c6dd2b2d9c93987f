import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FaultServer extends AsyncDisposable {
  url: string
}

/** A server with a prepared answer for each path. Unknown paths get 404 without a body. */
export async function startFaultServer(
  answers: Record<string, (response: ServerResponse) => void>,
): Promise<FaultServer> {
  const server = createServer(({ url = '' }, response) => {
    const answer = answers[url.split('?')[0] ?? '']
    if (answer) answer(response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const sendJson = (json: unknown) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
}

/** Announces more bytes than it sends, then closes the connection. */
export const sendTruncated = (text: string) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length + 100 })
  response.write(text, () => response.destroy())
}
