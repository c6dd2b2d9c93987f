import type { Language } from '../../../languages.ts'
import type { CredentialWords } from '../../contract/contract.ts'

const of = (address: string, label: string, hint: string) => ({
  instanceUrl: { hint: address },
  token: { label, hint },
})

/** Texts that customers read when they connect the tool. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: of(
    'Address of the server with the name of the database, such as https://erp.example.com/company',
    'Password',
    'The password of that user. A user of its own for the import is best.',
  ),
  de: of(
    'Adresse des Servers mit dem Namen der Datenbank, zum Beispiel https://erp.example.com/firma',
    'Passwort',
    'Das Passwort dieses Benutzers. Am besten ist ein eigener Benutzer für den Import.',
  ),
  fr: of(
    'Adresse du serveur avec le nom de la base de données, par exemple https://erp.example.com/company',
    'Mot de passe',
    'Le mot de passe de cet utilisateur. Un utilisateur réservé à l’import est préférable.',
  ),
  es: of(
    'Dirección del servidor con el nombre de la base de datos, por ejemplo https://erp.example.com/company',
    'Contraseña',
    'La contraseña de ese usuario. Lo mejor es un usuario propio para la importación.',
  ),
}
