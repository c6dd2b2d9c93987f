import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'

/** Ample for a logo of the shown size, which is sent with every visit. */
const maxLogoBytes = 100_000

export interface Branding {
  /** Six hex digits with "#"; null removes it. */
  accent?: string | null
  /** A PNG or SVG; null removes it. */
  logo?: Buffer | null
}

/**
 * Sets how the portal looks to the partner's customers: the colour of buttons and links, and a logo beside the name.
 */
export async function brandPartner(db: Db, partnerId: string, { accent, logo }: Branding) {
  const changes = {
    ...(accent !== undefined && { accent: accent === null ? null : requireColour(accent) }),
    ...(logo !== undefined && { logo, logo_type: logo === null ? null : typeOf(logo) }),
  }
  if (Object.keys(changes).length === 0) throw new OperatorError('Say what to change: --accent or --logo.')
  return db.transaction().execute(async (tx) => {
    const partner = await tx
      .updateTable('partners')
      .set(changes)
      .where('id', '=', partnerId)
      .returning(['id', 'name', 'accent', 'logo_type'])
      .executeTakeFirst()
    if (!partner) throw new OperatorError(`There is no partner ${partnerId}. "wherry partner list" shows all.`)
    await audit(tx, { actor: 'operator', act: 'partner branded', subject: partnerId })
    return partner
  })
}

/** The portal's look without the logo itself. */
export async function showBrand(db: Db, partnerId: string) {
  return db.selectFrom('partners').select(['accent', 'logo_type']).where('id', '=', partnerId).executeTakeFirstOrThrow()
}

function requireColour(accent: string): string {
  const colour = accent.trim().toLowerCase()
  if (!/^#[0-9a-f]{6}$/.test(colour)) throw new OperatorError('--accent must be a colour such as #14638f.')
  return colour
}

function typeOf(logo: Buffer): 'image/png' | 'image/svg+xml' {
  if (logo.length > maxLogoBytes) throw new OperatorError(`--logo must not be larger than ${maxLogoBytes / 1000} kB.`)
  if (logo.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'image/png'
  if (isSvg(logo.toString('utf8'))) return 'image/svg+xml'
  throw new OperatorError('--logo must be a PNG or an SVG file.')
}

/** Read step by step, because one pattern would take hours on a file with many comments. */
function isSvg(text: string): boolean {
  let rest = text.trimStart()
  if (rest.startsWith('<?xml')) {
    const end = rest.indexOf('>')
    rest = end === -1 ? '' : rest.slice(end + 1).trimStart()
  }
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', '<!--'.length)
    rest = end === -1 ? '' : rest.slice(end + '-->'.length).trimStart()
  }
  return /^<svg[\s>]/.test(rest)
}
