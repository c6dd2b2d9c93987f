import type { Language } from '../../../languages.ts'
import type { CredentialWords } from '../../contract/contract.ts'

/** What customers read when they connect it. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: {
    token: {
      label: 'Authentication token',
      hint: 'In Request Tracker: Logged in as, Settings, Auth tokens. The user needs the right SuperUser.',
    },
  },
  de: {
    token: {
      label: 'Authentifizierungs-Token',
      hint: 'In Request Tracker: Angemeldet als, Einstellungen, Auth-Tokens. Der Benutzer braucht das Recht SuperUser.',
    },
  },
  fr: {
    token: {
      label: 'Jeton d’authentification',
      hint: 'Dans Request Tracker : Logged in as, Settings, Auth tokens. L’utilisateur a besoin du droit SuperUser.',
    },
  },
  es: {
    token: {
      label: 'Token de autenticación',
      hint: 'En Request Tracker: Logged in as, Settings, Auth tokens. El usuario necesita el derecho SuperUser.',
    },
  },
}
