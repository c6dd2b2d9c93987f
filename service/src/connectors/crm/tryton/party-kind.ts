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
  for (const category of categories) {
    const kind = categoryKinds.get(category.trim().toLowerCase())
    if (kind) return kind
  }
  if (employsSomeone) return 'accounts'
  if (worksForSomeone) return 'contacts'
  const types = identifiers.flatMap(({ type }) => type ?? [])
  if (types.some((type) => personal.has(type))) return 'contacts'
  if (types.some((type) => !ambiguous.has(type))) return 'accounts'
  return hasLegalForm(name) ? 'accounts' : 'contacts'
}

const categoryKinds = new Map<string, Kind>([
  ...kinds(
    'contacts',
    'person people persons individual individuals contact contacts personen privatperson particulier',
  ),
  ...kinds('accounts', 'organisation organisations organization organizations company companies firma firmen'),
  ...kinds('accounts', 'unternehmen entreprise entreprises empresa empresas azienda aziende bedrijf bedrijven'),
])

function kinds(kind: Kind, words: string): [string, Kind][] {
  return words.split(' ').map((word) => [word, kind])
}

/** Identifiers that only people have. */
const personal = new Set(
  `ar_dni at_vnr bg_egn bg_pnf br_cpf ca_sin ch_ssn cn_ric cr_cpf cr_cr cu_ni cz_rc de_idnr dk_cpr do_cedula ec_ci ee_ik
  es_dni es_nie fi_hetu fi_veronumero fr_nir gb_nhs gb_upn gr_amka ie_pps il_idnr in_aadhaar it_codicefiscale kr_krn
  lt_asmens mu_nid my_nric nl_bsn nl_onderwijsnummer no_fodselsnummer pe_cui pl_pesel ro_cnp se_personnummer sk_rc
  tr_tckimlik us_atin us_itin us_ssn za_idnr`.split(/\s+/),
)
/** Identifiers that people and organisations have. */
const ambiguous = new Set(
  `at_tin au_tfn cl_rut co_nit co_rut es_nif fr_nif hr_oib in_pan is_kennitala mx_rfc nz_ird pt_nif py_ruc ru_inn us_ptin
  us_tin ve_rif za_tin`.split(/\s+/),
)

/** Legal forms that are clear anywhere in a name. Dots are removed before the comparison. */
const legalForms = new Set(
  `gmbh mbh ggmbh ohg kgaa gbr ev eg sarl sas sasu eurl scop ltd limited llc llp inc incorporated corp corporation plc bv
  oyj aps spa srl slu spzoo sro doo ooo оао ооо зао пао kft zrt ltda pty pvt gesmbh company stiftung foundation aş`.split(
    /\s+/,
  ),
)
/**
 * Short legal forms are also words or initials. They count only at the end of the name and in their usual spelling.
 */
const shortForms = new Set('AG KG UG SE SA SL AB AS A/S NV OY Oy Co Co.'.split(' '))
const asianForms = /株式会社|有限会社|合同会社|有限公司|주식회사/

function hasLegalForm(name: string): boolean {
  if (asianForms.test(name)) return true
  const words = name.split(/[\s,()]+/).filter((word) => word !== '')
  const plain = words.map((word) => word.replaceAll('.', '').toLowerCase())
  if (plain.some((word) => legalForms.has(word))) return true
  // "Sp. z o.o." and "s. r. o." consist of several words.
  if (/(sp z oo|s r o|s p a|s r l)$/.test(plain.join(' '))) return true
  // A customer number can follow the legal form.
  const last = words.findLast((word) => !/^[\d#-]+$/.test(word)) ?? ''
  return words.length > 1 && (shortForms.has(last) || shortForms.has(last.replaceAll('.', '')))
}
