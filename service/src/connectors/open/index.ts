import { AccountRefusedError } from '../../errors.ts'
import { families } from '../../families/index.ts'
import type { Connector } from '../contract.ts'

/** Any partner's own product that implements our destination protocol. It takes every family that the partner names. */
export const open: Connector = {
  tool: 'open',
  label: 'Open destination',
  families,
  isSource: false,
  movesBetweenInstances: false,
  destination: {
    requires: ['instanceUrl', 'token'],
    async checkAccount({ instanceUrl, token }, { outbound, signal }) {
      const base = `${instanceUrl}`.replace(/\/$/, '')
      const answer = await outbound.request(`${base}/describe`, {
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
        signal,
      })
      if (answer.status === 401 || answer.status === 403 || answer.status === 404) {
        throw new AccountRefusedError(`could not be reached: ${answer.status} ${answer.statusText}`)
      }
      if (answer.status < 200 || answer.status > 299) {
        throw new Error(`describe answered ${answer.status}`)
      }
    },
  },
}
