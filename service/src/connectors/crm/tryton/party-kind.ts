import { kindInMarker } from './marker.ts'

export type Kind = 'accounts' | 'contacts'

/** Evidence that a party is a person or an organisation. Tryton does not record which. */
export interface KindSigns {
  name: string
  identifiers: readonly { type: string | null; code: string }[]
  categories: readonly string[]
  /** Set if the party is one of this Tryton's own companies or employees. */
  own: Kind | null
  worksForSomeone: boolean
  employsSomeone: boolean
}

/** The first evidence decides. Without any, the party is a person. */
export function decideKind({ name, identifiers, categories, own, worksForSomeone, employsSomeone }: KindSigns): Kind {
  for (const { code } of identifiers) {
    const kind = kindInMarker(code)
    if (kind) return kind
  }
  if (own) return own
  const named = categories.map((category) => category.trim().toLowerCase())
  const decisive = named.find((name) => people.has(name) || organisations.has(name))
  if (decisive !== undefined) return people.has(decisive) ? 'contacts' : 'accounts'
  if (employsSomeone) return 'accounts'
  if (worksForSomeone) return 'contacts'
  const types = identifiers.flatMap(({ type }) => type ?? [])
  if (types.some((type) => personal.has(type))) return 'contacts'
  if (types.some((type) => !ambiguous.has(type))) return 'accounts'
  return hasLegalForm(name) ? 'accounts' : 'contacts'
}

const words = (text: string) => new Set(text.split(/\s+/))

/** Categories that say what a party is. */
const people = words('person people persons individual individuals contact contacts personen privatperson particulier')
const organisations = words(`organisation organisations organization organizations company companies firma firmen
  unternehmen entreprise entreprises empresa empresas azienda aziende bedrijf bedrijven`)

/** Identifiers that only people have. */
const personal = words(`ar_dni at_vnr bg_egn bg_pnf br_cpf ca_sin ch_ssn cn_ric cr_cpf cr_cr cu_ni cz_rc de_idnr dk_cpr
  do_cedula ec_ci ee_ik es_dni es_nie fi_hetu fi_veronumero fr_nir gb_nhs gb_upn gr_amka ie_pps il_idnr in_aadhaar
  it_codicefiscale kr_krn lt_asmens mu_nid my_nric nl_bsn nl_onderwijsnummer no_fodselsnummer pe_cui pl_pesel ro_cnp
  se_personnummer sk_rc tr_tckimlik us_atin us_itin us_ssn za_idnr`)
/** Identifiers that people and organisations have. */
const ambiguous =
  words(`at_tin au_tfn cl_rut co_nit co_rut es_nif fr_nif hr_oib in_pan is_kennitala mx_rfc nz_ird pt_nif
  py_ruc ru_inn us_ptin us_tin ve_rif za_tin`)

/** Legal forms that are clear anywhere in a name. Dots are removed before the comparison. */
const legalForms = words(`gmbh mbh ggmbh ohg kgaa gbr ev eg sarl sas sasu eurl scop ltd limited llc llp inc incorporated
  corp corporation plc bv oyj aps spa srl slu spzoo sro doo ooo оао ооо зао пао kft zrt ltda pty pvt gesmbh company
  stiftung foundation aş`)
/**
 * Short legal forms are also words or initials. They count only at the end of the name and in their usual spelling.
 */
const shortForms = words('Co. Co AG KG UG SE SA SL AB AS A/S NV OY Oy')
const asianForms = /株式会社|有限会社|合同会社|有限公司|주식회사/

function hasLegalForm(name: string): boolean {
  if (asianForms.test(name)) return true
  const parts = name.split(/[\s,()]+/).filter((part) => part !== '')
  const plain = parts.map((word) => word.replaceAll('.', '').toLowerCase())
  if (plain.some((word) => legalForms.has(word))) return true
  // "Sp. z o.o." and "s. r. o." consist of several words.
  if (/(sp z oo|s r o|s p a|s r l)$/.test(plain.join(' '))) return true
  // A customer number can follow the legal form.
  const last = parts.findLast((word) => !/^[\d#-]+$/.test(word)) ?? ''
  return parts.length > 1 && (shortForms.has(last) || shortForms.has(last.replaceAll('.', '')))
}
