import type { Language } from '../../../languages.ts'
import type { CredentialWords } from '../../contract/contract.ts'

const hint = (text: string) => ({ token: { hint: text } })

/** Texts that customers read when they connect the tool. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: hint('In Fernhill Desk: Settings, then API. In the demo it is printed when the service starts.'),
  de: hint('In Fernhill Desk: Settings, dann API. In der Vorführung steht er da, wo der Dienst gestartet wurde.'),
  fr: hint('Dans Fernhill Desk : Settings, puis API. Dans la démo, elle s’affiche au démarrage du service.'),
  es: hint('En Fernhill Desk: Settings y después API. En la demostración se muestra al arrancar el servicio.'),
}
