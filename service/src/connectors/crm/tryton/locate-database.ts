import { AccountRefusedError } from '../../../errors.ts'

/** The address of a Tryton, and the name of its database. */
export interface Place {
  origin: string
  database: string
}

const names = /^[\w.-]{1,63}$/

/** Accepts `https://host/database` and the address bar of the web client: `https://host/#database/…`. */
export function locateDatabase(instanceUrl: string | null): Place {
  const url = URL.canParse(instanceUrl ?? '') ? new URL(String(instanceUrl)) : null
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new AccountRefusedError('The address must begin with https:// and end with the name of the database.')
  }
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  const inHash = url.hash.replace(/^#\/?/, '').split(/[/?;]/)[0] ?? ''
  const database = inHash === '' ? segments.pop() : inHash
  if (database === undefined || !names.test(database)) {
    throw new AccountRefusedError(
      'The address lacks the name of the database: write it at the end, as in https://tryton.example.com/company.',
    )
  }
  return { origin: [url.origin, ...segments].join('/'), database }
}
