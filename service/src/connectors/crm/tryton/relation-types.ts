import type { Row } from './schema.ts'

// Tryton relates any two parties by types that people name. Two types matter to every CRM: "works for" an organisation
// and "is part of" a larger one. We recognize them by name.

export type RelationTypes = ReturnType<typeof sortRelationTypes>

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
