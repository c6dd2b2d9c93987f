import type { Language } from '../../../languages.ts'
import type { CredentialWords } from '../../contract/contract.ts'

/** Texts that customers read when they connect the tool. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: {
    token: { hint: 'In Redmine, as an administrator: My account, then API access key, then Show.' },
  },
  de: {
    token: { hint: 'In Redmine, als Administrator: Mein Konto, dann API-Zugriffsschlüssel, dann Anzeigen.' },
  },
  fr: {
    token: { hint: 'Dans Redmine, en tant qu’administrateur : Mon compte, puis Clé d’accès API, puis Afficher.' },
  },
  es: {
    token: { hint: 'En Redmine, como administrador: Mi cuenta, luego Clave de acceso de la API, luego Mostrar.' },
  },
}
