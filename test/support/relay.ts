// Forwards connections: relay.ts <address to listen at> <address to connect to> <port>…, with the same ports on both
// sides.
import { connect, createServer, type Socket } from 'node:net'

const [listenAt = '', connectTo = '', ...ports] = process.argv.slice(2)
await Promise.all(
  ports.map((port) => {
    const server = createServer((near) => {
      const far = connect({ host: connectTo, port: Number(port) })
      pass(near, far)
      pass(far, near)
    })
    return new Promise<void>((resolve) => server.listen({ host: listenAt, port: Number(port) }, resolve))
  }),
)
process.stdout.write('ready\n')

function pass(from: Socket, to: Socket): void {
  from.pipe(to)
  from.on('error', () => to.destroy())
  from.on('close', () => to.destroy())
}
