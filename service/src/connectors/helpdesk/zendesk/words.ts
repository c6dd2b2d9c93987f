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
      hint: 'In Zendesk, as an administrator: Admin Center, Apps and integrations, APIs, API tokens. It is shown only once.',
    },
  },
  de: {
    instanceUrl: { label: 'Adresse Ihres Zendesk', hint: 'Wie sie im Browser steht, etwa https://acme.zendesk.com.' },
    username: { label: 'E-Mail-Adresse', hint: 'Die Adresse, mit der sich ein Administrator bei Zendesk anmeldet.' },
    token: {
      label: 'API-Token',
      hint: 'In Zendesk, als Administrator: Admin Center, Apps und Integrationen, APIs, API-Token. Er wird nur einmal angezeigt.',
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
      hint: 'Dans Zendesk, en tant qu’administrateur : Centre d’administration, Applications et intégrations, API, Tokens API. Il ne s’affiche qu’une fois.',
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
      hint: 'En Zendesk, como administrador: Centro de administración, Aplicaciones e integraciones, API, Tokens de API. Solo se muestra una vez.',
    },
  },
}
