import { Secret, TOTP } from 'otpauth'
import type { KeyRing } from '../key-ring.ts'

const issuer = 'Wherry'
/** The number of time steps before and after now whose codes are accepted: clocks differ, and people type slowly. */
const window = 1

const placeOf = (operatorId: string) => `operators.sealed_totp/${operatorId}`
const totpOf = (secret: Secret, label = '') => new TOTP({ issuer, label, secret, algorithm: 'SHA1', digits: 6 })

/** A new secret for an authenticator app: sealed for the database, and as the address for the app's QR code. */
export function newTotp(keyRing: KeyRing, operator: { id: string; name: string }) {
  const secret = new Secret({ size: 20 })
  return {
    sealed: keyRing.seal(secret.base32, placeOf(operator.id)),
    secret: secret.base32,
    uri: totpOf(secret, operator.name).toString(),
  }
}

/** The time step that this code belongs to. Null for a wrong code. */
export function stepOfCode(
  keyRing: KeyRing,
  operator: { id: string; sealed_totp: Buffer | null },
  code: string,
): number | null {
  if (!operator.sealed_totp || !/^\d{6}$/.test(code)) return null
  const totp = totpOf(Secret.fromBase32(keyRing.open(operator.sealed_totp, placeOf(operator.id))))
  const timestamp = Date.now()
  const delta = totp.validate({ token: code, timestamp, window })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}
