import type { Language } from '../../../languages.ts'
import type { CredentialWords } from '../../contract/contract.ts'

const token = (label: string, hint: string) => ({ token: { label, hint } })

/** Texts that customers read when they connect the tool. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: token(
    'API token',
    'In Pipedrive, as an administrator: click your picture, then Personal preferences, API, and copy your personal API token.',
  ),
  de: token(
    'API-Token',
    'In Pipedrive, als Administrator: Klicken Sie auf Ihr Bild, dann auf Persönliche Einstellungen, API, und kopieren Sie Ihren persönlichen API-Token.',
  ),
  fr: token(
    'Jeton d’API',
    'Dans Pipedrive, en tant qu’administrateur : cliquez sur votre photo, puis sur Préférences personnelles, API, et copiez votre jeton d’API personnel.',
  ),
  es: token(
    'Token de API',
    'En Pipedrive, como administrador: haga clic en su foto, luego en Preferencias personales, API, y copie su token de API personal.',
  ),
}
