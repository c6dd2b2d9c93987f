import type { Language } from '../../languages.ts'
import type { CredentialWords } from '../contract/contract.ts'

/** Texts that customers read when they connect the tool. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: {
    instanceUrl: { hint: 'Address of its import interface. Your account’s settings tell it, or its support.' },
    token: { label: 'Access token', hint: 'Made in the settings of your account there.' },
  },
  de: {
    instanceUrl: {
      hint: 'Adresse der Import-Schnittstelle. Sie steht in den Einstellungen Ihres Kontos, oder fragen Sie den Support.',
    },
    token: { label: 'Zugangs-Token', hint: 'Wird dort in den Einstellungen Ihres Kontos angelegt.' },
  },
  fr: {
    instanceUrl: {
      hint: 'Adresse de son interface d’import. Elle figure dans les réglages de votre compte, ou son assistance vous la donne.',
    },
    token: { label: 'Jeton d’accès', hint: 'À créer là-bas, dans les réglages de votre compte.' },
  },
  es: {
    instanceUrl: {
      hint: 'Dirección de su interfaz de importación. Está en los ajustes de su cuenta, o la indica su soporte.',
    },
    token: { label: 'Token de acceso', hint: 'Se crea allí, en los ajustes de su cuenta.' },
  },
}
