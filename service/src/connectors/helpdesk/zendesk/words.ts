import type { Language } from '../../../languages.ts'
import type { CredentialWords } from '../../contract/contract.ts'

/** Texts that customers read when they connect the tool. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: {
    instanceUrl: {
      label: 'Address of your Zendesk',
      hint: 'As it stands in the browser, such as https://acme.zendesk.com.',
    },
    username: { label: 'E-mail address', hint: 'The address that an administrator signs in to Zendesk with.' },
    token: {
      label: 'API token',
      hint: 'A token that an administrator saved. Zendesk has made no new ones since 27 October 2026. All stop working on 30 April 2027.',
    },
  },
  de: {
    instanceUrl: { label: 'Adresse Ihres Zendesk', hint: 'Wie sie im Browser steht, etwa https://acme.zendesk.com.' },
    username: { label: 'E-Mail-Adresse', hint: 'Die Adresse, mit der sich ein Administrator bei Zendesk anmeldet.' },
    token: {
      label: 'API-Token',
      hint: 'Ein Token, den ein Administrator gespeichert hat. Zendesk erstellt seit dem 27. Oktober 2026 keine neuen mehr. Am 30. April 2027 werden alle ungültig.',
    },
  },
  fr: {
    instanceUrl: {
      label: 'Adresse de votre Zendesk',
      hint: 'Telle qu’elle figure dans le navigateur, par exemple https://acme.zendesk.com.',
    },
    username: { label: 'Adresse e-mail', hint: 'L’adresse avec laquelle un administrateur se connecte à Zendesk.' },
    token: {
      label: 'Token API',
      hint: 'Un token qu’un administrateur a conservé. Zendesk n’en crée plus depuis le 27 octobre 2026. Tous cesseront de fonctionner le 30 avril 2027.',
    },
  },
  es: {
    instanceUrl: {
      label: 'Dirección de su Zendesk',
      hint: 'Tal como aparece en el navegador, por ejemplo https://acme.zendesk.com.',
    },
    username: {
      label: 'Dirección de correo',
      hint: 'La dirección con la que un administrador inicia sesión en Zendesk.',
    },
    token: {
      label: 'Token de API',
      hint: 'Un token que un administrador guardó. Zendesk no crea nuevos desde el 27 de octubre de 2026. Todos dejarán de funcionar el 30 de abril de 2027.',
    },
  },
}
