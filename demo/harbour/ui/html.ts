/** Markup that is safe to send. Plain strings are escaped when they are inserted. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Markup | string | number | null | undefined | false | readonly Part[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...parts.map(textOf)))
}

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text
  if (Array.isArray(part)) return part.map(textOf).join('')
  if (part === null || part === undefined || part === false) return ''
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
