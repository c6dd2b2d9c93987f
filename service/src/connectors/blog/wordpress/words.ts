import type { Language } from '../../../languages.ts'
import type { CredentialWords } from '../../contract/contract.ts'

/** Texts that customers read when they connect the tool. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: {
    token: {
      label: 'Application password',
      hint: 'In WordPress, as an administrator: Users, Profile, Application Passwords. Not the password you sign in with.',
    },
  },
  de: {
    token: {
      label: 'Anwendungspasswort',
      hint: 'In WordPress, als Administrator: Benutzer, Profil, Anwendungspasswörter. Nicht das Passwort, mit dem Sie sich anmelden.',
    },
  },
  fr: {
    token: {
      label: 'Mot de passe d’application',
      hint: 'Dans WordPress, en tant qu’administrateur : Comptes, Profil, Mots de passe d’application. Ce n’est pas le mot de passe avec lequel vous vous connectez.',
    },
  },
  es: {
    token: {
      label: 'Contraseña de aplicación',
      hint: 'En WordPress, como administrador: Usuarios, Perfil, Contraseñas de aplicación. No es la contraseña con la que inicia sesión.',
    },
  },
}
