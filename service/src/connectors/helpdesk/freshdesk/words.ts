import type { Language } from '../../../languages.ts'
import type { CredentialWords } from '../../contract/contract.ts'

/** Texts that customers read when they connect the tool. */
export const words: Record<Language, Record<string, CredentialWords>> = {
  en: {
    instanceUrl: {
      label: 'Address of your Freshdesk',
      hint: 'The one that ends in freshdesk.com, such as https://acme.freshdesk.com. An address of your own does not work here.',
    },
    token: {
      label: 'API key',
      hint: 'In Freshdesk, as an administrator: your picture at the top right, Profile settings, View API key.',
    },
  },
  de: {
    instanceUrl: {
      label: 'Adresse Ihres Freshdesk',
      hint: 'Die Adresse, die auf freshdesk.com endet, etwa https://acme.freshdesk.com. Eine eigene Adresse geht hier nicht.',
    },
    token: {
      label: 'API-Schlüssel',
      hint: 'In Freshdesk, als Administrator: Ihr Bild oben rechts, Profileinstellungen, API-Schlüssel anzeigen.',
    },
  },
  fr: {
    instanceUrl: {
      label: 'Adresse de votre Freshdesk',
      hint: 'Celle qui se termine par freshdesk.com, par exemple https://acme.freshdesk.com. Votre propre nom de domaine ne convient pas ici.',
    },
    token: {
      label: 'Clé API',
      hint: 'Dans Freshdesk, en tant qu’administrateur : votre photo en haut à droite, Paramètres du profil, Afficher la clé API.',
    },
  },
  es: {
    instanceUrl: {
      label: 'Dirección de su Freshdesk',
      hint: 'La que termina en freshdesk.com, por ejemplo https://acme.freshdesk.com. Un dominio propio no sirve aquí.',
    },
    token: {
      label: 'Clave de API',
      hint: 'En Freshdesk, como administrador: su imagen arriba a la derecha, Configuración del perfil, Ver clave de API.',
    },
  },
}
