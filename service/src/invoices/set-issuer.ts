import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import type { Issuer } from '../db/payment-tables.ts'
import { OperatorError } from '../errors.ts'

const longest = 200

/** Sets the issuer of new invoices. Existing invoices keep their issuer. */
export async function setIssuer(db: Db, document: unknown): Promise<Issuer> {
  const issuer = readIssuer(document)
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('invoice_book')
      .set({ issuer: JSON.stringify(issuer) })
      .execute()
    await audit(tx, { actor: 'operator', act: 'issuer set', subject: 'invoices' })
  })
  return issuer
}

export async function showIssuer(db: Db) {
  const { issuer, last_number } = await db
    .selectFrom('invoice_book')
    .select(['issuer', 'last_number'])
    .executeTakeFirstOrThrow()
  return { issuer, last_number }
}

function readIssuer(document: unknown): Issuer {
  const problems: string[] = []
  const given = (typeof document === 'object' && document !== null ? document : {}) as Record<string, unknown>
  const isText = (value: unknown): value is string =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern refuses control characters
    typeof value === 'string' && value.trim() !== '' && value.length <= longest && !/[\u0000-\u001f\u007f]/.test(value)
  const isLines = (value: unknown): value is string[] =>
    Array.isArray(value) && value.length > 0 && value.length <= 10 && value.every(isText)
  const { name, address, payment, vat_id, email, prefix, vat_percent, ...others } = given
  if (!isText(name)) problems.push(`name must be a text of 1 to ${longest} characters`)
  if (!isLines(address)) problems.push('address must be a list of 1 to 10 lines')
  if (!isLines(payment)) problems.push('payment must be a list of 1 to 10 lines: bank, account and the like')
  for (const [field, value] of Object.entries({ vat_id, email })) {
    if (value !== undefined && !isText(value)) problems.push(`${field} must be a text, or be left out`)
  }
  const isPrefix = typeof prefix === 'string' && /^[A-Za-z0-9/-]{1,20}$/.test(prefix)
  if (prefix !== undefined && !isPrefix) problems.push('prefix must have 1 to 20 letters, digits, "-" or "/"')
  const isPercent = typeof vat_percent === 'number' && vat_percent >= 0 && vat_percent < 100
  if (vat_percent !== undefined && !isPercent) problems.push('vat_percent must be a number from 0 to below 100')
  for (const field of Object.keys(others)) problems.push(`${field} is not known`)
  if (problems.length > 0) {
    throw new OperatorError(`The issuer has problems:\n${problems.map((one) => `  - ${one}`).join('\n')}`)
  }
  return {
    name,
    address,
    payment,
    ...(isText(vat_id) && { vat_id }),
    ...(isText(email) && { email }),
    ...(isPrefix && { prefix }),
  } as Issuer
}
