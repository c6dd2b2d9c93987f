import type { Row } from './schema.ts'
import { kindInMarker } from './texts.ts'

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
/** These are also words or initials, so they count only at the end of a name and in their usual spelling. */
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

// Tryton relates any two parties by types that people name. Two types matter to every CRM: "works for" an organisation
// and "is part of" a larger one. We recognize them by name.

const names = (text: string) => new Set(text.split(',').map((name) => name.trim()))

const worksForNames = names(`works for, works at, working for, employee of, is employee of, employed by, is employed by,
  arbeitet für, arbeitet bei, angestellt bei, ist angestellt bei, mitarbeiter von, mitarbeiterin von, angestellter von,
  travaille pour, travaille chez, employé de, employée de, est employé par, trabaja para, trabaja en, empleado de,
  empleada de, lavora per, dipendente di, trabalha para, trabalha em, funcionário de, werkt voor, werknemer van,
  pracuje dla, pracownik, zaměstnanec`)
const employsNames = names(`employs, employer of, is employer of, has employee, beschäftigt, arbeitgeber von, emploie,
  employeur de, emplea, empleador de, impiega, datore di lavoro di, emprega, empregador de, werkgever van, zatrudnia`)
const partOfNames = names(`subsidiary of, is subsidiary of, daughter company of, branch of, belongs to group,
  tochterunternehmen von, tochtergesellschaft von, tochterfirma von, filiale de, filial de, succursale de, controllata di,
  dochteronderneming van, dochterbedrijf van`)
const wholeOfNames = names(`parent company of, is parent company of, mutterunternehmen von, muttergesellschaft von,
  maison mère de, société mère de, empresa matriz de, matriz de, controllante di, moederbedrijf van, has subsidiary`)

/** The types that we create if Tryton has none. */
export const ownTypes = {
  worksFor: { name: 'works for', reverse: 'employs' },
  partOf: { name: 'subsidiary of', reverse: 'parent company of' },
}

export function sortRelationTypes(rows: readonly Row<'party.relation.type'>[]) {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const nameOf = (id?: number | null) => (byId.get(id ?? -1)?.name ?? '').trim().toLowerCase()
  const named = (own: ReadonlySet<string>, reversed: ReadonlySet<string>): ReadonlySet<number> =>
    new Set(rows.filter(({ id, reverse }) => own.has(nameOf(id)) || reversed.has(nameOf(reverse))).map(({ id }) => id))
  return {
    byId,
    /** From a person to an organisation. */
    worksFor: named(worksForNames, employsNames),
    employs: named(employsNames, worksForNames),
    /** From a smaller organisation to a larger one. */
    partOf: named(partOfNames, wholeOfNames),
    wholeOf: named(wholeOfNames, partOfNames),
  }
}
