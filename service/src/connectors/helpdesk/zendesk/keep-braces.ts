import { eachText } from '../../kit/each-text.ts'

/** A placeholder such as {{ticket.id}}, a Liquid tag, or the beginning of one. */
const placeholder = /\{\{[^{}]*\}\}|\{%[^{}]*%\}|\{[{%]/g

/**
 * Zendesk replaces placeholders in messages by values of the ticket, and drops those that it does not know. In code they
 * stay as they are.
 */
export const keepBraces = (html: string): string =>
  eachText(html, {
    tag: (tag) => tag.replace(/\{[{%]/g, encodeURIComponent),
    text: (text, { isCode }) => (isCode ? text : text.replace(placeholder, '<code>$&</code>')),
  })
