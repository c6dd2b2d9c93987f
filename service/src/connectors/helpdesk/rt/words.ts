import type { Language } from '../../../languages.ts'
import type { CredentialWords } from '../../contract/contract.ts'

const token = (label: string, hint: string) => ({ token: { label, hint } })

/** Texts that customers read when they connect the tool. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: token(
    'Authentication token',
    'In Request Tracker: Logged in as, Settings, Auth tokens. The user needs the right SuperUser.',
  ),
  de: token(
    'Authentifizierungs-Token',
    'In Request Tracker: Angemeldet als, Einstellungen, Auth-Tokens. Der Benutzer braucht das Recht SuperUser.',
  ),
  fr: token(
    'Jeton d’authentification',
    'Dans Request Tracker : Logged in as, Settings, Auth tokens. L’utilisateur a besoin du droit SuperUser.',
  ),
  es: token(
    'Token de autenticación',
    'En Request Tracker: Logged in as, Settings, Auth tokens. El usuario necesita el derecho SuperUser.',
  ),
}
