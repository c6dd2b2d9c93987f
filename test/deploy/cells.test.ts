import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { findFreePort } from '../support/free-port.ts'
import { startTestService } from '../support/service.ts'

const program = ['/usr/sbin/nginx', 'nginx'].find((place) => spawnSync(place, ['-v']).status === 0)
if (!program) console.warn('nginx is missing (Debian package "nginx-light"): the routing to cells is not tested.')

/** The configuration file of deploy/, without TLS and with other addresses. */
function configure(ports: { own: number; cells: readonly number[] }): string {
  const [first, second] = ports.cells
  return readFileSync(join(checkoutDir, 'deploy/proxy/cells.conf'), 'utf8')
    .replace('listen 443 ssl;', `listen 127.0.0.1:${ports.own};`)
    .replace(/^ *ssl_certificate.*\n/gm, '')
    .replace(/10\.0\.1\.\d:4000/g, `127.0.0.1:${first}`)
    .replace(/10\.0\.2\.\d:4000/g, `127.0.0.1:${second}`)
}

async function startNginx(ports: { own: number; cells: readonly number[] }) {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-cells-'))
  await mkdir(join(folder, 'bodies'))
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/bodies;`,
  )
  await writeFile(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http { access_log off; ${paths.join(' ')} ${configure(ports)} }`,
  )
  const child = spawn(String(program), ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  })
  return {
    async close() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Uses node:http, because `fetch` cannot set the Host header. */
const get = (port: number, host: string, token: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { host, authorization: `Basic ${btoa(`${token}:`)}` }
    request({ port, host: '127.0.0.1', path: '/api/v2.1/imports?destination_username=ann', headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })

test.skipIf(!program)('each host name reaches its own cell, and an unknown name reaches none', async () => {
  await using stack = new AsyncDisposableStack()
  const cells = await Promise.all([startTestService(), startTestService()])
  for (const cell of cells) stack.defer(() => cell.close())
  const [acme, birch] = await Promise.all(cells.map((cell) => cell.createPartner()))
  const own = await findFreePort()
  const nginx = await startNginx({ own, cells: cells.map(({ port }) => port) })
  stack.defer(() => nginx.close())
  const tokens = [String(acme?.api_token), String(birch?.api_token)] as const
  await vi.waitFor(() => get(own, 'acme.import.example.com', tokens[0]), { timeout: 60_000, interval: 50 })
  const ask = (name: string, token: string) => get(own, `${name}.import.example.com`, token)
  expect([await ask('acme', tokens[0]), await ask('birch', tokens[1])]).toEqual([200, 200])
  expect([await ask('cell1', tokens[0]), await ask('cell2', tokens[1])]).toEqual([200, 200])
  // A token is valid only in its own cell.
  expect([await ask('acme', tokens[1]), await ask('birch', tokens[0])]).toEqual([401, 401])
  expect(await ask('cedar', tokens[0])).toBe(404)
})
