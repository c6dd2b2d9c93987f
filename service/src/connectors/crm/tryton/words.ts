import type { Language } from '../../../languages.ts'
import type { CredentialWords } from '../../contract/contract.ts'

/** Texts that customers read when they connect the tool. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: {
    instanceUrl: {
      hint: 'Address of the server with the name of the database, such as https://erp.example.com/company',
    },
    token: { label: 'Password', hint: 'The password of that user. A user of its own for the import is best.' },
  },
  de: {
    instanceUrl: {
      hint: 'Adresse des Servers mit dem Namen der Datenbank, zum Beispiel https://erp.example.com/firma',
    },
    token: {
      label: 'Passwort',
      hint: 'Das Passwort dieses Benutzers. Am besten ist ein eigener Benutzer für den Import.',
    },
  },
  fr: {
    instanceUrl: {
      hint: 'Adresse du serveur avec le nom de la base de données, par exemple https://erp.example.com/company',
    },
    token: {
      label: 'Mot de passe',
      hint: 'Le mot de passe de cet utilisateur. Un utilisateur réservé à l’import est préférable.',
    },
  },
  es: {
    instanceUrl: {
      hint: 'Dirección del servidor con el nombre de la base de datos, por ejemplo https://erp.example.com/company',
    },
    token: {
      label: 'Contraseña',
      hint: 'La contraseña de ese usuario. Lo mejor es un usuario propio para la importación.',
    },
  },
}
