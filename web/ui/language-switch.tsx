import { useState } from 'react'
import { type Language, language, speak, texts } from '../texts/index.ts'
import { languageCodes, languages } from '../texts/languages.ts'

/** Shows each language under its own name, so that people find theirs without reading the current one. */
export function LanguageSwitch({ onChosen }: { onChosen?: ((next: Language) => void) | undefined }) {
  const [isFailed, setIsFailed] = useState(false)
  const [asked, setAsked] = useState<Language | null>(null)
  const choose = async (next: Language) => {
    setIsFailed(false)
    setAsked(next)
    try {
      await speak(next)
      onChosen?.(next)
    } catch {
      setIsFailed(true)
    }
    setAsked((latest) => (latest === next ? null : latest))
  }
  return (
    <fieldset className="off-paper mt-3">
      <legend className="sr-only">{texts.footer.language}</legend>
      <div className="flex flex-wrap gap-x-5">
        {languageCodes.map((code) => (
          <button
            key={code}
            type="button"
            lang={code}
            aria-pressed={code === language}
            aria-busy={code === asked}
            onClick={() => void choose(code)}
            className={`py-1 underline-offset-4 hover:text-ink aria-busy:opacity-60 ${code === language ? 'font-medium text-ink' : 'underline decoration-quiet/40'}`}
          >
            {languages[code].name}
          </button>
        ))}
      </div>
      {isFailed && <p role="alert">{texts.footer.languageFailed}</p>}
    </fieldset>
  )
}
