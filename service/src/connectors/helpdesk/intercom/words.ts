import type { ToolWords } from '../../contract/contract.ts'

/** Texts that customers read when they connect the tool. */
export const words: ToolWords = {
  en: {
    instanceUrl: {
      label: 'Address of your Intercom',
      hint: 'As it stands in the browser: https://app.intercom.com, or https://app.eu.intercom.com and https://app.au.intercom.com for workspaces in Europe and Australia.',
    },
    token: {
      label: 'Access token',
      hint: 'In the Developer Hub of Intercom: New app, then Authentication. The app needs to read and write people, companies, conversations, tickets and articles.',
    },
  },
  de: {
    instanceUrl: {
      label: 'Adresse Ihres Intercom',
      hint: 'Wie sie im Browser steht: https://app.intercom.com, oder https://app.eu.intercom.com und https://app.au.intercom.com für Workspaces in Europa und Australien.',
    },
    token: {
      label: 'Access Token',
      hint: 'Im Developer Hub von Intercom: New app, dann Authentication. Die App muss Personen, Firmen, Konversationen, Tickets und Artikel lesen und schreiben dürfen.',
    },
  },
  fr: {
    instanceUrl: {
      label: 'Adresse de votre Intercom',
      hint: 'Telle qu’elle figure dans le navigateur : https://app.intercom.com, ou https://app.eu.intercom.com et https://app.au.intercom.com pour l’Europe et l’Australie.',
    },
    token: {
      label: 'Access token',
      hint: 'Dans le Developer Hub d’Intercom : New app, puis Authentication. L’application doit pouvoir lire et écrire personnes, entreprises, conversations, tickets et articles.',
    },
  },
  es: {
    instanceUrl: {
      label: 'Dirección de su Intercom',
      hint: 'Tal como aparece en el navegador: https://app.intercom.com, o https://app.eu.intercom.com y https://app.au.intercom.com para Europa y Australia.',
    },
    token: {
      label: 'Access token',
      hint: 'En el Developer Hub de Intercom: New app y después Authentication. La aplicación debe poder leer y escribir personas, empresas, conversaciones, tickets y artículos.',
    },
  },
}
