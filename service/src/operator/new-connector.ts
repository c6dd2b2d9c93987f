import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { checkoutDir } from '../config.ts'
import { OperatorError } from '../errors.ts'

/** Writes a folder with an empty connector and its twin. The connector passes `wherry connector check`. */
export async function writeNewConnector(name: string, parent: string): Promise<{ folder: string; next: string }> {
  if (!/^[a-z][a-z0-9_]{0,49}$/.test(name)) {
    throw new OperatorError(`The name may have lowercase letters, digits and _, not "${name.slice(0, 60)}".`)
  }
  const folder = join(resolve(parent), name)
  if (existsSync(folder)) throw new OperatorError(`${folder} exists already; nothing was written.`)
  await mkdir(folder, { recursive: true })
  // The connector imports only types from this path, so loading it does not need the path.
  const from = relative(folder, checkoutDir).replaceAll('\\', '/')
  const label = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
  const files = {
    'index.ts': indexOf(name, label, from),
    'words.ts': wordsOf(label, from),
    'twin.ts': twinOf(label, from),
    'README.md': readmeOf(label),
    // Editors treat the files as modules only with this package.json.
    'package.json': toJson({ private: true, type: 'module' }),
    'tsconfig.json': toJson({
      extends: `${from}/tsconfig.json`,
      compilerOptions: { typeRoots: [`${from}/node_modules/@types`] },
      include: ['*.ts', `${from}/service/src/text/textile-js.d.ts`],
      exclude: [],
    }),
  }
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
  return { folder, next: `wherry connector check ${folder}` }
}

const toJson = (value: object) => `${JSON.stringify(value, null, 2)}\n`

const indexOf = (
  name: string,
  label: string,
  from: string,
) => `import type { Account, AccountInfo, Connector } from '${from}/service/src/connectors/contract/contract.ts'
import type { Kit } from '${from}/service/src/connectors/kit/index.ts'
import { words } from './words.ts'

export default (kit: Kit): Connector => ({
  tool: '${name}',
  label: '${label}',
  families: ['helpdesk'],
  movesBetweenInstances: false,
  words,
  source: {
    // The portal asks the customer for these values. Add pattern, example and the vendor's page beside the name.
    requires: ['instanceUrl', { name: 'token' }],
    checkAccount: (account) => checkAccount(kit, account),
    open: () => ({
      count: async () => ({}),
      users: async () => ({ items: [], next: null }),
      customFields: async () => [],
      read: async () => ({ items: [], warnings: [], next: null }),
      openFile: async () => {
        throw new kit.FileMissingError('${label} has no files')
      },
    }),
  },
})

async function checkAccount(kit: Kit, account: Account): Promise<AccountInfo> {
  const base = (access: Account['access']) => \`\${kit.instance(access)}/api\`
  const http = kit.openHttp(account, { label: '${label}', base, signIn: kit.bearer })
  return kit.checkAccess('${label} does not accept this key.', async () => {
    // Replace this by the request with which ${label} names the owner of the key.
    const { name } = await http.get('/account', kit.Type.Object({ name: kit.Type.String() }))
    return { name }
  })
}
`

const wordsOf = (
  label: string,
  from: string,
) => `import type { ToolWords } from '${from}/service/src/connectors/contract/contract.ts'

/** The customer reads these texts while connecting ${label}. Say where in ${label} people create the key. */
export const words: ToolWords = {
  en: { token: { label: 'API key', hint: 'In ${label}: Settings, then API.' } },
  de: { token: { label: 'API-Schlüssel', hint: 'In ${label}: Settings, dann API.' } },
  fr: { token: { label: 'Clé API', hint: 'Dans ${label}\u00a0: Settings, puis API.' } },
  es: { token: { label: 'Clave de API', hint: 'En ${label}: Settings y después API.' } },
}
`

const twinOf = (label: string, from: string) => `import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Twin } from '${from}/test/connectors/twin-contract.ts'

/** Answers like ${label}, with its oddities. Write it from the vendor's documentation, not from the connector. */
export async function startTwin(): Promise<Twin> {
  const unknown: string[] = []
  const server = createServer((request, response) => {
    const send = (status: number, json: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    if (request.headers.authorization !== 'Bearer twin-key') return send(401, { error: 'unauthorized' })
    if (request.url === '/api/account') return send(200, { name: 'A ${label} account' })
    unknown.push(\`\${request.method} \${request.url}\`)
    return send(404, { error: 'not found' })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    access: { instanceUrl: \`http://127.0.0.1:\${port}\`, token: 'twin-key' },
    // Once the connector reads records: the family, and the entities that it reads. One of them needs several pages.
    source: { family: 'helpdesk', entities: [] },
    // Fails the check: the connector sent requests that ${label} does not have.
    expectNoViolations() {
      const sent = unknown.splice(0)
      if (sent.length > 0) throw new Error(\`${label} has no such request: \${sent.join(', ')}\`)
    },
    close: () => new Promise((done) => server.close(() => done())),
  }
}
`

const readmeOf = (label: string) => `# ${label}

List the records and fields that are copied, those that are not, and odd behaviour of the tool.

Checked against: its twin; never against the service itself.
`
