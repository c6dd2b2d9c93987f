import type { Language } from '../../languages.ts'
import type { CredentialWords } from '../contract.ts'

/** What customers read when they connect it. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: {
    token: { hint: 'In Fernhill Desk: Settings, then API. In the demo it is printed when the service starts.' },
  },
  de: {
    token: {
      hint: 'In Fernhill Desk: Settings, dann API. In der Vorführung steht er da, wo der Dienst gestartet wurde.',
    },
  },
  fr: {
    token: { hint: 'Dans Fernhill Desk : Settings, puis API. Dans la démo, elle s’affiche au démarrage du service.' },
  },
  es: {
    token: { hint: 'En Fernhill Desk: Settings y después API. En la demostración se muestra al arrancar el servicio.' },
  },
}
