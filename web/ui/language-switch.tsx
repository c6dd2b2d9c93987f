import { useState } from 'react'
import { type Language, language, speak, texts } from '../texts/index.ts'
import { languageCodes, languages } from '../texts/languages.ts'

/** Each language under its own name, so that people who cannot read this one find theirs. */
export function LanguageSwitch({ onChosen }: { onChosen?: ((next: Language) => void) | undefined }) {
  const [isFailed, setIsFailed] = useState(false)
  const choose = async (next: Language) => {
    setIsFailed(false)
    try {
      await speak(next)
      onChosen?.(next)
    } catch {
      setIsFailed(true)
    }
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
            onClick={() => void choose(code)}
            className={`py-1 underline-offset-4 hover:text-ink ${code === language ? 'font-medium text-ink' : 'underline decoration-quiet/40'}`}
          >
            {languages[code].name}
          </button>
        ))}
      </div>
      {isFailed && <p role="alert">{texts.footer.languageFailed}</p>}
    </fieldset>
  )
}
