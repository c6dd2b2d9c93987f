import type { AccountAccess } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import { loadInstallation } from '../installation.ts'
import type { KeyRing } from '../key-ring.ts'

/**
 * One name for one account of a tool, in all imports that open it. Address and account id decide; without an account
 * id, address and credentials do. The name is a keyed hash: nothing can be read or guessed from it.
 */
export async function nameAccount(
  { db, keyRing }: { db: Db; keyRing: KeyRing },
  tool: string,
  { instanceUrl, token, uploadId, oauth, more }: AccountAccess,
  id: string | null = null,
): Promise<string> {
  const { fingerprint } = await loadInstallation(db, keyRing)
  const url = instanceUrl === null ? null : URL.parse(instanceUrl)
  const address = url ? `${url.origin}${url.pathname}${url.search}`.replace(/\/+$/, '') : instanceUrl
  const basis =
    id === null
      ? [
          'opened by',
          tool,
          address,
          uploadId ?? null,
          oauth?.grantId ?? token,
          ...(more && !oauth ? [typed(more)] : []),
        ]
      : ['account', tool, url?.origin ?? instanceUrl, id, ...(oauth?.region === undefined ? [] : [oauth.region])]
  return fingerprint(Buffer.from(JSON.stringify(basis))).toString('hex')
}

const typed = (more: Record<string, string>) => Object.entries(more).sort(([a], [b]) => (a < b ? -1 : 1))
