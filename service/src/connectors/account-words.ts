import type { Language } from '../languages.ts'
import type { CredentialWords } from './contract/credential-contract.ts'

/** Texts for a credential whose connector has no texts. `other` is for every credential that is no AccountField. */
export const accountWords: Record<Language, Record<string, Required<CredentialWords>>> = {
  en: {
    instanceUrl: {
      label: 'Address',
      hint: 'As it is in the address bar of your browser, such as https://desk.example.com',
      mismatch: 'Please enter the whole address. It begins with https://',
    },
    username: {
      label: 'User name',
      hint: 'The name that you sign in with',
      mismatch: 'This does not look like a user name. Please check it.',
    },
    token: {
      label: 'API key',
      hint: 'Make one in the settings of your account, for an administrator: we see only what that person sees.',
      mismatch: 'This does not look like a key of this kind. Please copy it again, with all its characters.',
    },
    other: { label: '', hint: '', mismatch: 'This does not have the expected form. Please check it.' },
  },
  de: {
    instanceUrl: {
      label: 'Adresse',
      hint: 'Wie in der Adresszeile Ihres Browsers, zum Beispiel https://desk.example.com',
      mismatch: 'Bitte geben Sie die ganze Adresse ein. Sie beginnt mit https://',
    },
    username: {
      label: 'Benutzername',
      hint: 'Der Name, mit dem Sie sich anmelden',
      mismatch: 'Das sieht nicht wie ein Benutzername aus. Bitte prüfen Sie ihn.',
    },
    token: {
      label: 'API-Schlüssel',
      hint: 'Legen Sie ihn in den Einstellungen Ihres Kontos an, für einen Administrator: Wir sehen nur, was diese Person sieht.',
      mismatch:
        'Das sieht nicht wie ein solcher Schlüssel aus. Bitte kopieren Sie ihn noch einmal, mit allen seinen Zeichen.',
    },
    other: { label: '', hint: '', mismatch: 'Das hat nicht die erwartete Form. Bitte prüfen Sie es.' },
  },
  fr: {
    instanceUrl: {
      label: 'Adresse',
      hint: 'Telle qu’elle apparaît dans la barre d’adresse de votre navigateur, par exemple https://desk.example.com',
      mismatch: 'Veuillez entrer l’adresse entière. Elle commence par https://',
    },
    username: {
      label: 'Nom d’utilisateur',
      hint: 'Le nom avec lequel vous vous connectez',
      mismatch: 'Cela ne ressemble pas à un nom d’utilisateur. Veuillez le vérifier.',
    },
    token: {
      label: 'Clé API',
      hint: 'Créez-en une dans les réglages de votre compte, pour un administrateur : nous ne voyons que ce que voit cette personne.',
      mismatch: 'Cela ne ressemble pas à une clé de ce type. Veuillez la copier de nouveau, avec tous ses caractères.',
    },
    other: { label: '', hint: '', mismatch: 'Cela n’a pas la forme attendue. Veuillez le vérifier.' },
  },
  es: {
    instanceUrl: {
      label: 'Dirección',
      hint: 'Como aparece en la barra de direcciones de su navegador, por ejemplo https://desk.example.com',
      mismatch: 'Escriba la dirección completa. Empieza por https://',
    },
    username: {
      label: 'Nombre de usuario',
      hint: 'El nombre con el que inicia sesión',
      mismatch: 'Esto no parece un nombre de usuario. Compruébelo.',
    },
    token: {
      label: 'Clave de API',
      hint: 'Créela en los ajustes de su cuenta, para un administrador: solo vemos lo que ve esa persona.',
      mismatch: 'Esto no parece una clave de este tipo. Cópiela otra vez, con todos sus caracteres.',
    },
    other: { label: '', hint: '', mismatch: 'Esto no tiene la forma esperada. Compruébelo.' },
  },
}
