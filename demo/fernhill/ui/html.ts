/** Markup that is safe to send. All other values are escaped when they are inserted into a page. */
export interface Html {
  readonly markup: string
}

type Insertable = Html | string | number | null | undefined | false | readonly Html[]

/** A template that escapes its values unless they are `Html`. */
export function html(parts: TemplateStringsArray, ...values: readonly Insertable[]): Html {
  const markup = parts.reduce((text, part, index) => text + toMarkup(values[index - 1]) + part)
  return { markup }
}

export const trusted = (markup: string): Html => ({ markup })

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

function toMarkup(value: Insertable): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'markup' in value ? value.markup : value.map((item) => item.markup).join('')
}
