import type { Language } from '../../../languages.ts'
import type { CredentialWords } from '../../contract/contract.ts'

const token = (label: string, hint: string) => ({ token: { label, hint } })

/** Texts that customers read when they connect the tool. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: token(
    'Service key',
    'In HubSpot: Development, Keys, Service keys. Create a key with the scopes to read and write CRM objects, their properties, tickets and files, and to read owners and e-mails. Copy it. The access token of an existing private app works, too.',
  ),
  de: token(
    'Service Key',
    'In HubSpot: Entwicklung, Keys, Service Keys. Legen Sie einen Schlüssel mit den Rechten an, CRM-Objekte, deren Eigenschaften, Tickets und Dateien zu lesen und zu schreiben sowie Zuständige (owners) und E-Mails zu lesen. Kopieren Sie ihn. Das Zugriffstoken einer bestehenden privaten App geht auch.',
  ),
  fr: token(
    'Clé de service (Service Key)',
    'Dans HubSpot : Développement, Keys, Service Keys. Créez une clé avec les droits de lecture et d’écriture sur les objets CRM, leurs propriétés, les tickets et les fichiers, et de lecture des propriétaires (owners) et des e-mails. Copiez-la. Le jeton d’accès d’une application privée existante convient aussi.',
  ),
  es: token(
    'Clave de servicio (Service Key)',
    'En HubSpot: Desarrollo, Keys, Service Keys. Cree una clave con permisos de lectura y escritura para objetos de CRM, sus propiedades, tickets y archivos, y de lectura para propietarios (owners) y correos. Cópiela. También sirve el token de acceso de una aplicación privada existente.',
  ),
}
