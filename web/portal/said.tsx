import { useEffect, useSyncExternalStore } from 'react'
import { areFetched, fetchSentences, translate, whenFetched } from '../texts/sentences.ts'

/** Renders again once the translations are loaded. Until then, sentences are in English. */
function useSentences(): void {
  useSyncExternalStore(whenFetched, areFetched)
  useEffect(() => void fetchSentences(), [])
}

/** Shows a sentence of the service in the customer's language. A tool's own words stay unchanged. */
export function Told({ text }: { text: string }) {
  useSentences()
  const translated = translate(text)
  return <span {...(translated === null && { lang: 'en' })}>{translated ?? text}</span>
}

/** Shows why the service refused a request. Sentences without a translation stay in English. */
export function Said({ messages }: { messages: readonly string[] }) {
  useSentences()
  return messages.map((message, index) => {
    const translated = translate(message)
    return (
      <span key={message} {...(translated === null && { lang: 'en' })}>
        {index > 0 && ' '}
        {sentence(translated ?? message)}
      </span>
    )
  })
}

function sentence(message: string): string {
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}`
  return /[.!?]$/.test(text) ? text : `${text}.`
}
