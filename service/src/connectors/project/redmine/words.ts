import type { Language } from '../../../languages.ts'
import type { CredentialWords } from '../../contract/contract.ts'

const token = (hint: string): Record<string, CredentialWords> => ({ token: { hint } })

/** Texts that customers read when they connect the tool. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: token('In Redmine, as an administrator: My account, then API access key, then Show.'),
  de: token('In Redmine, als Administrator: Mein Konto, dann API-Zugriffsschlüssel, dann Anzeigen.'),
  fr: token('Dans Redmine, en tant qu’administrateur : Mon compte, puis Clé d’accès API, puis Afficher.'),
  es: token('En Redmine, como administrador: Mi cuenta, luego Clave de acceso de la API, luego Mostrar.'),
}
