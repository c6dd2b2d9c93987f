/** Classes on code that name no language, from highlighters and WordPress. */
const notLanguages = /^(?:syntaxhl|hljs|prettyprint|wp-.*|has-.*)$/

/** The language of a piece of code, from the classes of its element. */
export function languageOf(classes: string | undefined): string {
  const names = (classes ?? '').split(/\s+/).filter((name) => name !== '' && !notLanguages.test(name))
  const name = names.find((candidate) => /^lang(?:uage)?-/.test(candidate)) ?? names[0] ?? ''
  const language = name.replace(/^lang(?:uage)?-/, '')
  return /^[\w+#.-]{1,40}$/.test(language) ? language : ''
}
