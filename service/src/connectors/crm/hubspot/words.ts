import type { Language } from '../../../languages.ts'
import type { CredentialWords } from '../../contract/contract.ts'

const token = (label: string, hint: string) => ({ token: { label, hint } })

/** Texts that customers read when they connect the tool. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: token(
    'Access token',
    'In HubSpot: Settings, Integrations, Private Apps. Create an app, give it the rights to read and write CRM objects, properties and files, and copy its access token.',
  ),
  de: token(
    'Zugriffstoken',
    'In HubSpot: Einstellungen, Integrationen, Private Apps. Legen Sie eine App an, geben Sie ihr Lese- und Schreibrechte für CRM-Objekte, Eigenschaften und Dateien, und kopieren Sie ihr Zugriffstoken.',
  ),
  fr: token(
    'Jeton d’accès',
    'Dans HubSpot : Paramètres, Intégrations, Applications privées. Créez une application, donnez-lui les droits de lecture et d’écriture sur les objets CRM, les propriétés et les fichiers, puis copiez son jeton d’accès.',
  ),
  es: token(
    'Token de acceso',
    'En HubSpot: Configuración, Integraciones, Aplicaciones privadas. Cree una aplicación, dele permisos de lectura y escritura para objetos de CRM, propiedades y archivos, y copie su token de acceso.',
  ),
}
