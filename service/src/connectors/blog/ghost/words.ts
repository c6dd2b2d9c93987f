import type { Language } from '../../../languages.ts'
import type { CredentialWords } from '../../contract/contract.ts'

/** Texts that customers read when they connect the tool. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: {
    token: {
      label: 'Admin API key',
      hint: 'In Ghost: Settings, Integrations, Add custom integration. It is long and has a colon in it.',
      mismatch: 'This is not an Admin API key. Copy the whole key: 24 characters, a colon, 64 characters.',
    },
  },
  de: {
    token: {
      label: 'Admin-API-Schlüssel',
      hint: 'In Ghost: Settings, Integrations, Add custom integration. Er ist lang und enthält einen Doppelpunkt.',
      mismatch:
        'Das ist kein Admin-API-Schlüssel. Kopieren Sie den ganzen Schlüssel: 24 Zeichen, ein Doppelpunkt, 64 Zeichen.',
    },
  },
  fr: {
    token: {
      label: 'Clé Admin API',
      hint: 'Dans Ghost : Settings, Integrations, Add custom integration. Elle est longue et contient deux-points.',
      mismatch: 'Ce n’est pas une clé Admin API. Copiez la clé entière : 24 caractères, deux-points, 64 caractères.',
    },
  },
  es: {
    token: {
      label: 'Clave de Admin API',
      hint: 'En Ghost: Settings, Integrations, Add custom integration. Es larga y contiene dos puntos.',
      mismatch: 'Esto no es una clave de Admin API. Copie la clave completa: 24 caracteres, dos puntos, 64 caracteres.',
    },
  },
}
